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
    /// The port or bus, V4L2's `bus_info`: `usb-0000:00:14.0-2`.
    public let busInfo: String
    /// The identity in the USB descriptors; nil for cameras on other buses.
    public let usb: USBIdentity?
    /// The node's index among the nodes of its device, from 0.
    public let index: Int
    /// The camera's name in `/dev/v4l/by-id`: the same unit has this name at every port.
    ///
    /// The name follows udev's rule where udev does not run. Nil when the rule gives the camera no name.
    public let byID: String?
    /// The camera's name in `/dev/v4l/by-path`: every unit at the same port has this name.
    ///
    /// The name follows udev's rule where udev does not run. Nil when the rule gives the camera no name.
    public let byPath: String?
    /// The mounting position from ``CameraRoles``, or else from the driver; nil when neither gives one.
    public let position: CameraPosition?
    /// True when ``CameraRoles`` name this camera as the default.
    public let isUsual: Bool
    /// The rotation that turns pictures upright, as the driver reports it.
    ///
    /// Units: degrees counterclockwise. Nil when the driver reports no rotation.
    public let rotation: Int?
    /// The name to store in settings: it still refers to this camera after a restart, unless ``ambiguity`` is set.
    ///
    /// The name of a port refers to any camera that is plugged in there.
    public internal(set) var stableName: String
    /// The reason why ``stableName`` cannot tell this unit from another camera of the machine; nil when it can.
    public internal(set) var ambiguity: String?

    /// Combines a camera's properties from its driver, from sysfs and udev, and from the users' roles.
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

    /// The camera's type, derived from its driver and bus.
    public var type: CameraType {
        switch driver {
        case NodeIdentity.loopbackDriver: .virtual
        case "vivid", "vimc": .test
        default: usb != nil || busInfo.hasPrefix("usb-") ? .usb : .builtIn
        }
    }

    /// The USB controller from ``busInfo``, such as `usb-0000:00:14.0`; the whole ``busInfo`` for other buses.
    ///
    /// Cameras on one controller share its bandwidth.
    package var hostController: String {
        // The last dash precedes the port of a USB device, `2` or `2.4`.
        guard usb != nil || busInfo.hasPrefix("usb-"), let dash = busInfo.lastIndex(of: "-") else { return busInfo }
        return String(busInfo[..<dash])
    }

    public var description: String { "\(card) (\(path), \(busInfo))" }

    /// Decides whether a camera of another discovery is this camera.
    ///
    /// Another unit of the same model on the same port counts as the same camera when neither has a serial number.
    ///
    /// - Parameters:
    ///   - other: A camera of another discovery.
    ///   - trustingSerial: True when no other camera is known to have the same serial number.
    /// - Returns: True when node index, driver and USB identity are equal, and in addition a unique serial number, or
    ///   the name and the port, identify the camera.
    func isSame(as other: CameraDevice, trustingSerial: Bool = true) -> Bool {
        guard isSameUnit(as: other) else { return false }
        if trustingSerial, usb?.serial != nil, ambiguity == nil, other.ambiguity == nil { return true }
        return card == other.card && isSamePort(as: other)
    }

    /// True when node index, driver and USB identity are equal.
    ///
    /// Two units of one model without serial numbers are equal here.
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

/// The kind of a camera, by its connection or its driver.
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

/// A USB device's identity, from its descriptors.
public struct USBIdentity: Hashable, Sendable {
    /// The vendor's identifier, four hexadecimal digits: `046d`.
    public let vendor: String
    /// The product's identifier, four hexadecimal digits: `0825`.
    public let product: String
    /// The serial number; nil when the descriptor has none.
    ///
    /// All units of a cheap model often have the same serial number.
    public let serial: String?
    /// The manufacturer's name; nil when the descriptor has none.
    public let manufacturer: String?
    /// The product's name; nil when the descriptor has none.
    public let productName: String?
}
