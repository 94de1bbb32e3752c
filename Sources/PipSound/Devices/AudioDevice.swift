/// A microphone or line input: one capture device of an ALSA card.
public struct AudioDevice: Hashable, Sendable, CustomStringConvertible {
    /// ALSA's name of the device, with the card's identifier: `hw:CARD=C920,DEV=0`.
    ///
    /// The name refers to the hardware itself, without ALSA's configuration or a sound server.
    public let name: String
    /// The card's own name: `HD Pro Webcam C920`.
    public let card: String
    /// The capture device's name: `USB Audio`.
    public let stream: String
    /// The card's number, which may change when the card is plugged in again.
    public let cardNumber: Int
    /// The device's number on its card, counted from 0.
    public let device: Int
    /// The USB port in V4L2's notation: `usb-0000:00:14.0-2`; nil for devices on other buses.
    public let usbPort: String?
    /// The USB identifiers of vendor and product: `046d:082d`; nil for devices on other buses.
    public let usbID: String?
    /// True while a program records from the device.
    public let isInUse: Bool
    /// The name to store in settings: the name still means this device after a restart, and beside new devices.
    public internal(set) var stableName: String
    /// The reason why ``stableName`` does not rely on the card's identifier; nil when the identifier is unambiguous.
    public internal(set) var ambiguity: String?

    init(of card: SoundCard, device: Int, stream: String, isInUse: Bool) {
        name = "hw:CARD=\(card.id),DEV=\(device)"
        self.card = card.name
        self.stream = stream
        cardNumber = card.number
        self.device = device
        usbPort = card.usbPort
        usbID = card.usbID
        self.isInUse = isInUse
        stableName = name
    }

    /// ALSA's name of the device, with the card's number: `hw:1,0`.
    package var numberedName: String { "hw:\(cardNumber),\(device)" }

    /// The name of the device's USB port, such as `usb-0000:00:14.0-2`; `usb-0000:00:14.0-2,1` for a second device.
    var portName: String? { usbPort.map { device == 0 ? $0 : "\($0),\(device)" } }

    public var description: String { "\(card) (\(name))" }
}

/// A sound card in the kernel's list.
struct SoundCard {
    /// The card's identifier, which is a part of ALSA's device names: `C920`.
    let id: String
    /// The card's own name: `HD Pro Webcam C920`.
    let name: String
    let number: Int
    /// The USB port in V4L2's notation; nil for cards on other buses.
    let usbPort: String?
    /// The USB identifiers of vendor and product: `046d:082d`; nil for cards on other buses.
    let usbID: String?
}
