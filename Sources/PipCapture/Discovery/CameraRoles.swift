internal import Glibc
internal import PipFrames

/// The roles that users assign to cameras, such as the front camera and the default camera.
///
/// Use this type to parse the users' role files, and to make their text. Each line holds a role and a camera's name, as
/// in `front usb-0000:00:14.0-2` or `default HD Pro Webcam C920`.
public struct CameraRoles: Sendable, Hashable {
    /// A role that a camera can have.
    public enum Role: Sendable, Hashable {
        /// A mounting position, which overrides the position that the driver reports.
        case position(CameraPosition)
        /// The camera that `camera:first` selects, unless a back camera exists.
        case usual

        /// Parses `front`, `back`, `external` or `default`; returns nil for another word.
        public init?(_ word: String) {
            if word == "default" {
                self = .usual
            } else if let position = CameraPosition(rawValue: word) {
                self = .position(position)
            } else {
                return nil
            }
        }

        /// The role's word in a file.
        public var word: String {
            switch self {
            case .position(let position): position.rawValue
            case .usual: "default"
            }
        }
    }

    /// A role and the name of the camera that has it.
    public struct Entry: Sendable, Hashable {
        /// The role; a camera may have several roles, each in an entry of its own.
        public let role: Role
        /// The camera's bus path, udev name, serial number or whole own name.
        public let name: String
    }

    /// The entries, in the order of the file.
    public private(set) var entries: [Entry] = []
    /// The lines of the file that are not valid entries.
    public private(set) var mistakes: [String] = []

    /// Parses the text of a role file.
    ///
    /// Lines that begin with `#` are comments.
    public init(_ text: String = "") {
        for line in text.split(whereSeparator: \.isNewline) {
            let line = String(line).trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
            if parts.count == 2, let role = Role(parts[0]) {
                entries.append(Entry(role: role, name: parts[1]))
            } else {
                mistakes.append(line)
            }
        }
    }

    /// Assigns a role to the camera called `name`, and takes the role from all others; nil removes the role.
    public mutating func set(_ role: Role, to name: String?) {
        entries.removeAll { $0.role == role }
        if let name { entries.append(Entry(role: role, name: name)) }
    }

    /// A name that no camera has.
    ///
    /// To withdraw a role that the machine's file assigns, a user's file gives the role to this name.
    public static let nobody = "none"

    /// The text of a role file with these roles and ``mistakes``, without the comments of the file that was read.
    public var text: String {
        (["# Which camera is which: front, back, external or default, then a name of `pip-compose devices`."]
            + entries.map { "\($0.role.word) \($0.name)" } + mistakes).map { $0 + "\n" }.joined()
    }

    /// The roles of a camera that has the given names.
    func roles(of names: [String?]) -> [Role] { entries.filter { names.contains($0.name) }.map(\.role) }

    // MARK: Files

    /// The machine's role file, for services and all users.
    public static let machinePath = "/etc/pip-compose/cameras"

    /// The user's role file, below `$XDG_CONFIG_HOME` or `$HOME/.config`; nil when neither variable is set.
    public static var userPath: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).flatMap { unsafe $0.pointee == 0 ? nil : String(cString: $0) }
        }
        return (variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }).map {
            "\($0)/pip-compose/cameras"
        }
    }

    /// The roles from the machine's and the user's role file.
    ///
    /// The user's file takes precedence where both files assign a role.
    static func current(_ calls: any V4L2Calls) -> CameraRoles {
        var roles = CameraRoles(calls.text(of: machinePath) ?? "")
        let own = CameraRoles(userPath.flatMap { calls.text(of: $0) } ?? "")
        for role in Set(own.entries.map(\.role)) { roles.set(role, to: nil) }
        roles.entries += own.entries
        roles.mistakes += own.mistakes
        return roles
    }
}
