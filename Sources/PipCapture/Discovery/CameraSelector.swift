/// A user's reference to a camera: by path, by number, or by a name or a part of one.
public enum CameraSelector: Hashable, Sendable, CustomStringConvertible {
    /// A device node, or a link to one: `/dev/video0`, `/dev/v4l/by-id/…`.
    case path(String)
    /// The place in the list of cameras, from 0.
    case index(Int)
    /// A bus path, a stable name, or a part of the camera's name: `usb-0000:00:14.0-2`, `C920`.
    case name(String)

    /// Reads `/dev/video0`, `camera:0`, `camera:C920` or `camera:usb-0000:00:14.0-2`; nil when it is none of these.
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
        } else {
            self = .name(rest)
        }
    }

    public var description: String {
        switch self {
        case .path(let path): path
        case .index(let index): "camera:\(index)"
        case .name(let name): "camera:\(name)"
        }
    }
}
