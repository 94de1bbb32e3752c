/// The sandbox that this process runs in, whose cameras are behind the desktop's portal.
package enum Sandbox: Sendable, Hashable {
    /// Flatpak, with the application's name where it is told: `org.example.Cameras`.
    case flatpak(app: String?)
    /// Snap, with the snap's name.
    case snap(name: String)

    /// Finds out which sandbox it is; nil outside of one.
    ///
    /// - Parameter calls: Reads `/.flatpak-info` and the environment that the process began with.
    package init?(_ calls: any V4L2Calls) {
        if let information = calls.text(of: "/.flatpak-info") {
            self = .flatpak(app: Self.value(of: "name", in: information.split(separator: "\n")))
        } else if let environment = calls.text(of: "/proc/self/environ"),
            let variables = Optional(environment.split(separator: "\0")), Self.value(of: "SNAP", in: variables) != nil
        {
            self = .snap(name: Self.value(of: "SNAP_NAME", in: variables) ?? "NAME")
        } else {
            return nil
        }
    }

    /// The sandbox of this process.
    package static var current: Sandbox? { Sandbox(KernelCalls()) }

    /// The sandbox's kind, for messages.
    package var kind: String {
        switch self {
        case .flatpak: "Flatpak"
        case .snap: "Snap"
        }
    }

    /// The command by which a camera that was refused is permitted.
    package var permission: String {
        switch self {
        case .flatpak(let app): "flatpak permission-set devices camera \(app ?? "APP") yes"
        case .snap(let name): "flatpak permission-set devices camera snap.\(name) yes"
        }
    }

    private static func value(of key: String, in lines: [Substring]) -> String? {
        lines.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
    }
}
