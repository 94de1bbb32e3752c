internal import Glibc

/// What people say of their cameras: which one is the front one, and which one is meant where none is named.
///
/// Read from lines of a role and a camera's name, as in `front usb-0000:00:14.0-2` or `default HD Pro Webcam C920`.
public struct CameraRoles: Sendable, Hashable {
    /// What a camera may be said to be.
    public enum Role: Sendable, Hashable {
        /// Where it is built in, whatever its driver says.
        case position(CameraPosition)
        /// The one that is meant where none is named, unless there is a back camera.
        case usual

        /// Reads `front`, `back`, `external` or `default`; nil for another word.
        public init?(_ word: String) {
            if word == "default" {
                self = .usual
            } else if let position = CameraPosition(rawValue: word) {
                self = .position(position)
            } else {
                return nil
            }
        }

        /// The word of a file.
        public var word: String {
            switch self {
            case .position(let position): position.rawValue
            case .usual: "default"
            }
        }
    }

    /// A role and the name of the camera that has it.
    public struct Entry: Sendable, Hashable {
        /// What the camera is said to be.
        public let role: Role
        /// A lasting name, bus path, serial number or the camera's whole name for itself.
        public let name: String
    }

    /// In the order in which they are read.
    public private(set) var entries: [Entry] = []
    /// Lines that say nothing that is known.
    public private(set) var mistakes: [String] = []

    /// Reads the text of a file; lines that begin with `#` are left out.
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

    /// Gives a role to a camera in place of the one that had it; nil gives it to none.
    public mutating func set(_ role: Role, to name: String?) {
        entries.removeAll { $0.role == role }
        if let name { entries.append(Entry(role: role, name: name)) }
    }

    /// A name that no camera has: a user's word against the machine's.
    public static let nobody = "none"

    /// The text that reads the same, but for comments.
    public var text: String {
        (["# Which camera is which: front, back, external or default, then a name of `pip-compose devices`."]
            + entries.map { "\($0.role.word) \($0.name)" } + mistakes).map { $0 + "\n" }.joined()
    }

    /// The roles of a camera that has some names.
    func roles(of names: [String?]) -> [Role] { entries.filter { names.contains($0.name) }.map(\.role) }

    // MARK: Files

    /// The file of the machine, for services and all users.
    public static let machinePath = "/etc/pip-compose/cameras"

    /// The file of the user, in the folder for settings; nil for one without a home.
    public static var userPath: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).flatMap { unsafe $0.pointee == 0 ? nil : String(cString: $0) }
        }
        return (variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }).map {
            "\($0)/pip-compose/cameras"
        }
    }

    /// What both files say; a role that both give has the user's camera.
    static func current(_ calls: any V4L2Calls) -> CameraRoles {
        var roles = CameraRoles(calls.text(of: machinePath) ?? "")
        let own = CameraRoles(userPath.flatMap { calls.text(of: $0) } ?? "")
        for role in Set(own.entries.map(\.role)) { roles.set(role, to: nil) }
        roles.entries += own.entries
        roles.mistakes += own.mistakes
        return roles
    }
}
