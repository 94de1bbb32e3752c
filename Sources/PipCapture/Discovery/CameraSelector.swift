/// A user's reference to a camera: a path, an index, a mounting position, a name or a part of a name.
public enum CameraSelector: Hashable, Sendable, CustomStringConvertible {
    /// A device node, or a link to one: `/dev/video0`, `/dev/v4l/by-id/…`.
    case path(String)
    /// The camera's index in the list of cameras, from 0.
    case index(Int)
    /// The camera at a mounting position, which ``CameraRoles``, the driver, or else a word in the camera's name
    /// states.
    case position(CameraPosition)
    /// The back camera, else the default camera of ``CameraRoles``, else the camera whose port's name sorts first.
    ///
    /// The choice does not depend on the numbers of the device nodes.
    case first
    /// A bus path, a udev name, a serial number, or a part of the camera's name: `usb-0000:00:14.0-2`, `C920`.
    case name(String)

    /// The camera that faces the user of the device.
    public static let front = CameraSelector.position(.front)
    /// The camera that faces away from the user of the device.
    public static let back = CameraSelector.position(.back)

    /// The camera whose name contains `text`, such as `C920`, or whose bus path, udev name or serial number is `text`.
    public static func matching(_ text: String) -> CameraSelector { .name(text) }

    /// The camera at a port, by its name in `/dev/v4l/by-path`.
    public static func byPath(_ name: String) -> CameraSelector { .name(name) }

    /// Parses `/dev/video0`, `camera:0`, `camera:front`, `camera:first`, `camera:C920` or `camera:usb-0000:00:14.0-2`;
    /// returns nil for other texts.
    public init?(_ text: String) {
        if text.hasPrefix("/") {
            self = .path(text)
            return
        }
        guard text.hasPrefix("camera:") else { return nil }
        let rest = String(text.dropFirst("camera:".count))
        if rest.isEmpty { return nil }
        if rest.hasPrefix("/") {
            self = .path(rest)
        } else if rest.allSatisfy(\.isASCII), rest.allSatisfy(\.isNumber), let index = Int(rest) {
            self = .index(index)
        } else if let position = CameraPosition(rawValue: rest) {
            self = .position(position)
        } else {
            self = rest == "first" ? .first : .name(rest)
        }
    }

    public var description: String {
        switch self {
        case .path(let path): path
        case .index(let index): "camera:\(index)"
        case .position(let position): "camera:\(position.rawValue)"
        case .first: "camera:first"
        case .name(let name): "camera:\(name)"
        }
    }
}

extension CameraSelector {
    /// The cameras that fit the selector best: a whole name takes precedence over a part of a name.
    func candidates(among cameras: [CameraDevice]) -> [CameraDevice] {
        switch self {
        case .path(let path): return cameras.filter { $0.path == path }
        case .index(let index): return cameras.indices.contains(index) ? [cameras[index]] : []
        case .position(let position):
            let built = cameras.filter { $0.position == position }
            let words = position == .back ? ["back", "rear"] : [position.rawValue]
            return built.isEmpty
                ? cameras.filter { camera in words.contains { camera.card.lowercased().contains($0) } } : built
        case .first:
            func order(_ camera: CameraDevice) -> (Int, String, Int) {
                (camera.position == .back ? 0 : camera.isUsual ? 1 : 2, camera.byPath ?? camera.busInfo, camera.index)
            }
            return cameras.min { order($0) < order($1) }.map { [$0] } ?? []
        case .name(let name):
            let exact = cameras.filter { camera in
                [camera.stableName, camera.busInfo, camera.byPath, camera.byID, camera.usb?.serial, camera.card]
                    .contains(name)
            }
            if !exact.isEmpty { return exact }
            let wanted = name.lowercased()
            return cameras.filter { $0.card.lowercased().contains(wanted) }
        }
    }

    /// The reason why no camera fits, for an error.
    var absence: String {
        switch self {
        case .first: "no camera can be used"
        case .position(let position):
            "nothing says which camera is the \(position.rawValue) one: no driver and no camera's name does; assign the"
                + " role with `pip-compose devices --set \(position.rawValue)=NAME`"
        case .index: "no camera has this index"
        case .path, .name: "no camera has this name"
        }
    }
}
