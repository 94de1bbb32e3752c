internal import Glibc

/// The roles that users assign to cameras: which one is the front camera, and which one is the default.
///
/// Use it to read and write the users' role files. Each line holds a role and a camera's name, as in `front
/// usb-0000:00:14.0-2` or `default HD Pro Webcam C920`.
public struct CameraRoles: Sendable, Hashable {
    /// A role that a camera can have.
    public enum Role: Sendable, Hashable {
        /// A mounting position, which overrides the driver's.
        case position(CameraPosition)
        /// The default camera, unless a back camera exists.
        case usual

        /// Reads `front`, `back`, `external` or `default`; fails for another word.
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
        /// The camera's role.
        public let role: Role
        /// The camera's stable name, bus path, serial number or whole own name.
        public let name: String
    }

    /// The entries, in the order of the file.
    public private(set) var entries: [Entry] = []
    /// The lines that could not be understood.
    public private(set) var mistakes: [String] = []

    /// Reads the text of a file.
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

    /// Assigns a role to a camera in place of the present one; nil assigns it to none.
    public mutating func set(_ role: Role, to name: String?) {
        entries.removeAll { $0.role == role }
        if let name { entries.append(Entry(role: role, name: name)) }
    }

    /// A name that no camera has.
    ///
    /// It lets a user's file withdraw a role that the machine's file assigns.
    public static let nobody = "none"

    /// The text of a file with these roles; comments are lost.
    public var text: String {
        (["# Which camera is which: front, back, external or default, then a name of `pip-compose devices`."]
            + entries.map { "\($0.role.word) \($0.name)" } + mistakes).map { $0 + "\n" }.joined()
    }

    /// The roles of a camera that goes by any of some names.
    func roles(of names: [String?]) -> [Role] { entries.filter { names.contains($0.name) }.map(\.role) }

    // MARK: Files

    /// The machine's role file, for services and all users.
    public static let machinePath = "/etc/pip-compose/cameras"

    /// The user's role file, in the folder for settings; nil for a user without a home.
    public static var userPath: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).flatMap { unsafe $0.pointee == 0 ? nil : String(cString: $0) }
        }
        return (variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }).map {
            "\($0)/pip-compose/cameras"
        }
    }

    /// The roles of both files.
    ///
    /// The user's camera wins where both assign a role.
    static func current(_ calls: any V4L2Calls) -> CameraRoles {
        var roles = CameraRoles(calls.text(of: machinePath) ?? "")
        let own = CameraRoles(userPath.flatMap { calls.text(of: $0) } ?? "")
        for role in Set(own.entries.map(\.role)) { roles.set(role, to: nil) }
        roles.entries += own.entries
        roles.mistakes += own.mistakes
        return roles
    }
}
