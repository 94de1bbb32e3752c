/// A discovered camera: its node, model, bus and a stable name.
public struct CameraDevice: Hashable, Sendable, CustomStringConvertible {
    /// The device node, such as `/dev/video0`.
    ///
    /// The path may change when the camera is plugged in again. Store ``stableName`` instead.
    public let path: String
    /// The camera's own name, V4L2's `card`: `HD Pro Webcam C920`.
    public let card: String
    /// The name of the kernel's driver: `uvcvideo`, `vivid`.
    public let driver: String
    /// The port or bus in the driver's words: `usb-0000:00:14.0-2`.
    public let busInfo: String
    /// The identity in the USB descriptors; nil for cameras on other buses.
    public let usb: USBIdentity?
    /// The node's index among those of its device, from 0.
    public let index: Int
    /// The entry in `/dev/v4l/by-id`, which follows the unit.
    ///
    /// Derived by udev's rule where udev does not run.
    public let byID: String?
    /// The entry in `/dev/v4l/by-path`, which follows the port.
    ///
    /// Derived by udev's rule where udev does not run.
    public let byPath: String?
    /// The mounting position by ``CameraRoles``, or else by the driver; nil where neither knows, as for webcams.
    public let position: CameraPosition?
    /// True for the default camera by ``CameraRoles``.
    public let isUsual: Bool
    /// The rotation that turns pictures upright, by the driver.
    ///
    /// Units: degrees counterclockwise. Nil where the driver does not report it.
    public let rotation: Int?
    /// The name to store in settings: the shortest that still means this camera after a restart, and after others are
    /// plugged in.
    public internal(set) var stableName: String
    /// The reason why ``stableName`` follows the port rather than the unit; nil when the name is unambiguous.
    public internal(set) var ambiguity: String?

    /// Combines the answers of the driver and of the kernel's files with the users' roles.
    init(
        path: String, identity: NodeIdentity, origin: NodeOrigin, mounting: CameraMounting, roles: CameraRoles
    ) {
        self.path = path
        card = identity.card
        driver = identity.driver
        busInfo = identity.busInfo
        usb = origin.usb
        index = origin.index
        byID = origin.byID
        byPath = origin.byPath
        let given = roles.roles(of: [busInfo, byID, byPath, usb?.serial, card])
        let positions = given.compactMap { if case .position(let position) = $0 { position } else { nil } }
        (position, rotation) = (positions.last ?? mounting.position, mounting.rotation)
        isUsual = given.contains(.usual)
        stableName = byPath ?? busInfo
    }

    /// The sort of camera, derived from driver and bus.
    public var type: CameraType {
        switch driver {
        case NodeIdentity.loopbackDriver: .virtual
        case "vivid", "vimc": .test
        default: usb != nil || busInfo.hasPrefix("usb-") ? .usb : .builtIn
        }
    }

    /// The bus controller, which other cameras may share, in the driver's words: `usb-0000:00:14.0`.
    package var hostController: String {
        // The last dash precedes the port of a USB device, `2` or `2.4`.
        guard usb != nil || busInfo.hasPrefix("usb-"), let dash = busInfo.lastIndex(of: "-") else { return busInfo }
        return String(busInfo[..<dash])
    }

    public var description: String { "\(card) (\(path), \(busInfo))" }

    /// True when `other` may be the same unit, or the same model on the same port.
    ///
    /// - Parameters:
    ///   - other: A camera of another discovery.
    ///   - trustingSerial: True when no other camera is known to share this one's serial number.
    /// - Returns: False for certainly another camera, and for indistinguishable ones.
    func isSame(as other: CameraDevice, trustingSerial: Bool = true) -> Bool {
        guard isSameUnit(as: other) else { return false }
        if trustingSerial, usb?.serial != nil, ambiguity == nil, other.ambiguity == nil { return true }
        return card == other.card && isSamePort(as: other)
    }

    /// True when node index, driver and USB identity are equal.
    ///
    /// Units without serial numbers may share them.
    func isSameUnit(as other: CameraDevice) -> Bool {
        index == other.index && driver == other.driver && usb?.product == other.usb?.product
            && usb?.vendor == other.usb?.vendor && usb?.serial == other.usb?.serial
    }

    /// True when two discoveries have found the same camera under the same node, whatever its roles.
    func isTheSame(_ other: CameraDevice) -> Bool {
        path == other.path && card == other.card && isSameUnit(as: other) && isSamePort(as: other)
    }

    func isSamePort(as other: CameraDevice) -> Bool { busInfo == other.busInfo && byPath == other.byPath }
}

/// A sort of camera.
public enum CameraType: String, Sendable, Hashable, CaseIterable {
    /// A camera on a USB port, outside or inside the machine.
    case usb
    /// A camera on a board's connector or another bus.
    case builtIn = "built-in"
    /// A camera whose frames another program writes.
    case virtual
    /// A test driver that generates pictures.
    case test
}

/// The identity in a USB device's descriptors.
public struct USBIdentity: Hashable, Sendable {
    /// The vendor's number, four hexadecimal digits: `046d`.
    public let vendor: String
    /// The product's number, four hexadecimal digits: `0825`.
    public let product: String
    /// The serial number; nil when the descriptor has none.
    ///
    /// Cheap cameras often share one.
    public let serial: String?
    /// The manufacturer's name; nil when the descriptor has none.
    public let manufacturer: String?
    /// The product's name; nil when the descriptor has none.
    public let productName: String?
}
