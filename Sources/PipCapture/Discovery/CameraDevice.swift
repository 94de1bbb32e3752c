/// A camera that was found: where it is, what it calls itself, and a name for it that lasts.
public struct CameraDevice: Hashable, Sendable, CustomStringConvertible {
    /// The device node, such as `/dev/video0`.
    ///
    /// It may change when the camera is plugged in again.
    public let path: String
    /// What the camera calls itself: `HD Pro Webcam C920`.
    public let card: String
    /// The kernel's driver: `uvcvideo`, `vivid`.
    public let driver: String
    /// Where it is connected, in the driver's words: `usb-0000:00:14.0-2`.
    public let busInfo: String
    /// What USB says of it; nil when it is not a USB camera.
    public let usb: USBIdentity?
    /// Counts the nodes of one device from 0.
    public let index: Int
    /// Its entry in `/dev/v4l/by-id`, which follows the unit; made up by udev's rule where there is no udev.
    public let byID: String?
    /// Its entry in `/dev/v4l/by-path`, which follows the port; made up by udev's rule where there is no udev.
    public let byPath: String?
    /// The shortest name that still means this camera after a restart and after others are plugged in.
    public internal(set) var stableName: String
    /// Why `stableName` follows the port and not the unit; nil when it follows the unit or there is nothing to confuse.
    public internal(set) var ambiguity: String?

    init(
        path: String, card: String, driver: String, busInfo: String, usb: USBIdentity?, index: Int, byID: String?,
        byPath: String?
    ) {
        self.path = path
        self.card = card
        self.driver = driver
        self.busInfo = busInfo
        self.usb = usb
        self.index = index
        self.byID = byID
        self.byPath = byPath
        stableName = byPath ?? busInfo
    }

    /// The bus controller that it shares with others, in the driver's words: `usb-0000:00:14.0`.
    public var hostController: String {
        // What follows the last dash is the port, `2` or `2.4`, of a USB device.
        guard usb != nil || busInfo.hasPrefix("usb-"), let dash = busInfo.lastIndex(of: "-") else { return busInfo }
        return String(busInfo[..<dash])
    }

    public var description: String { "\(card) (\(path), \(busInfo))" }

    /// Whether another finding can be the same unit, or failing that the same kind of camera on the same port.
    ///
    /// `trustingSerial`: Whether no other camera is known to have this one's serial number.
    func isSame(as other: CameraDevice, trustingSerial: Bool = true) -> Bool {
        guard isSameUnit(as: other) else { return false }
        if trustingSerial, usb?.serial != nil, ambiguity == nil, other.ambiguity == nil { return true }
        return card == other.card && isSamePort(as: other)
    }

    /// Whether nothing that the device says of itself tells it from another.
    func isSameUnit(as other: CameraDevice) -> Bool {
        index == other.index && driver == other.driver && usb?.product == other.usb?.product
            && usb?.vendor == other.usb?.vendor && usb?.serial == other.usb?.serial
    }

    func isSamePort(as other: CameraDevice) -> Bool { busInfo == other.busInfo && byPath == other.byPath }
}

/// What a USB device says of itself.
public struct USBIdentity: Hashable, Sendable {
    /// The vendor's number, four hexadecimal digits: `046d`.
    public let vendor: String
    /// The product's number, four hexadecimal digits: `0825`.
    public let product: String
    /// The serial number; nil when it has none.
    ///
    /// Cheap cameras often share one.
    public let serial: String?
    public let manufacturer: String?
    public let productName: String?
}
