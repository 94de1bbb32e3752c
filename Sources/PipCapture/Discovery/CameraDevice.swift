/// A discovered camera: its node, model, bus and a stable name.
public struct CameraDevice: Hashable, Sendable, CustomStringConvertible {
    /// The device node, such as `/dev/video0`.
    ///
    /// It may change when the camera is plugged in again.
    public let path: String
    /// The camera's name for itself, V4L2's `card`: `HD Pro Webcam C920`.
    public let card: String
    /// The kernel's driver: `uvcvideo`, `vivid`.
    public let driver: String
    /// Where it is connected, in the driver's words: `usb-0000:00:14.0-2`.
    public let busInfo: String
    /// The USB descriptor's identity; nil for cameras on other buses.
    public let usb: USBIdentity?
    /// Counts the nodes of one device from 0.
    public let index: Int
    /// Its entry in `/dev/v4l/by-id`, which follows the unit; made up by udev's rule where there is no udev.
    public let byID: String?
    /// Its entry in `/dev/v4l/by-path`, which follows the port; made up by udev's rule where there is no udev.
    public let byPath: String?
    /// Where it is built in: as ``CameraRoles`` have it, else by its driver; nil where neither says, as of webcams.
    public let position: CameraPosition?
    /// True for the one that is meant where none is named, by ``CameraRoles``.
    public let isUsual: Bool
    /// Degrees, counterclockwise, by which its picture has to be turned to stand upright, by its driver; nil where that
    /// does not say.
    public let rotation: Int?
    /// The shortest name that still means this camera after a restart and after others are plugged in.
    public internal(set) var stableName: String
    /// The reason why ``stableName`` follows the port rather than the unit; nil when the name is unambiguous.
    public internal(set) var ambiguity: String?

    init(
        path: String, card: String, driver: String, busInfo: String, usb: USBIdentity?, index: Int, byID: String?,
        byPath: String?, mounting: CameraMounting, roles: CameraRoles = CameraRoles()
    ) {
        self.path = path
        self.card = card
        self.driver = driver
        self.busInfo = busInfo
        self.usb = usb
        self.index = index
        self.byID = byID
        self.byPath = byPath
        let given = roles.roles(of: [busInfo, byID, byPath, usb?.serial, card])
        let positions = given.compactMap { if case .position(let position) = $0 { position } else { nil } }
        (position, rotation) = (positions.last ?? mounting.position, mounting.rotation)
        isUsual = given.contains(.usual)
        stableName = byPath ?? busInfo
    }

    /// What sort of device it is.
    public var type: CameraType {
        switch driver {
        case NodeIdentity.loopbackDriver: .virtual
        case "vivid", "vimc": .test
        default: usb != nil || busInfo.hasPrefix("usb-") ? .usb : .builtIn
        }
    }

    /// The bus controller that it shares with others, in the driver's words: `usb-0000:00:14.0`.
    package var hostController: String {
        // The port of a USB device, `2` or `2.4`, follows the last dash.
        guard usb != nil || busInfo.hasPrefix("usb-"), let dash = busInfo.lastIndex(of: "-") else { return busInfo }
        return String(busInfo[..<dash])
    }

    public var description: String { "\(card) (\(path), \(busInfo))" }

    /// True when `other` may be the same unit, or else the same model on the same port.
    ///
    /// - Parameters:
    ///   - other: Another discovery.
    ///   - trustingSerial: True when no other camera is known to share this one's serial number.
    /// - Returns: False when it is certainly another camera, or cannot be told from one.
    func isSame(as other: CameraDevice, trustingSerial: Bool = true) -> Bool {
        guard isSameUnit(as: other) else { return false }
        if trustingSerial, usb?.serial != nil, ambiguity == nil, other.ambiguity == nil { return true }
        return card == other.card && isSamePort(as: other)
    }

    /// True when node index, driver and USB identity are equal, which need not tell two units apart.
    func isSameUnit(as other: CameraDevice) -> Bool {
        index == other.index && driver == other.driver && usb?.product == other.usb?.product
            && usb?.vendor == other.usb?.vendor && usb?.serial == other.usb?.serial
    }

    /// True when two looks have found the same camera under the same node, whatever is said of it.
    func isTheSame(_ other: CameraDevice) -> Bool {
        path == other.path && card == other.card && isSameUnit(as: other) && isSamePort(as: other)
    }

    func isSamePort(as other: CameraDevice) -> Bool { busInfo == other.busInfo && byPath == other.byPath }
}

/// A sort of camera.
public enum CameraType: String, Sendable, Hashable, CaseIterable {
    /// On a USB port, or inside and wired to one.
    case usb
    /// On a board's camera connector or another bus.
    case builtIn = "built-in"
    /// Written to by another program.
    case virtual
    /// A driver that makes pictures for tests.
    case test
}

/// The identity in a USB device's descriptors.
public struct USBIdentity: Hashable, Sendable {
    /// The vendor's number, four hexadecimal digits: `046d`.
    public let vendor: String
    /// The product's number, four hexadecimal digits: `0825`.
    public let product: String
    /// The serial number; nil when it has none.
    ///
    /// Cheap cameras often share one.
    public let serial: String?
    /// The manufacturer's name; nil when the descriptor has none.
    public let manufacturer: String?
    /// The product's name; nil when the descriptor has none.
    public let productName: String?
}
