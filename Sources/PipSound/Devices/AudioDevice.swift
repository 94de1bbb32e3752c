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
    /// True when programs had opened all subdevices of the device at the time when it was listed.
    public let isInUse: Bool
    /// The name to store in settings: the USB port if several cards on USB are of one model, and otherwise ``name``.
    ///
    /// Several cards of one model on another bus have no stable name; ``ambiguity`` then says why.
    public internal(set) var stableName: String
    /// The reason why the card's identifier does not always mean this card; nil when the identifier is unambiguous.
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

    /// The device's name by its USB port: `usb-0000:00:14.0-2`, or `usb-0000:00:14.0-2,1` for a card's second device.
    ///
    /// Nil for devices on other buses.
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
