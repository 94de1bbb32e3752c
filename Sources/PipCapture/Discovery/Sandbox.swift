/// A sandbox that confines this process.
///
/// Inside a sandbox, cameras are opened through the desktop's portal.
package enum Sandbox: Sendable, Hashable {
    /// Flatpak, with the application's identifier, such as `org.example.Cameras`; nil when it is unknown.
    case flatpak(app: String?)
    /// Snap, with the snap's name.
    case snap(name: String)

    /// Detects the sandbox of this process; returns nil outside of a sandbox.
    ///
    /// A confined snap has its own AppArmor profile. The variable `SNAP` proves nothing: programs that a snap starts
    /// outside of the sandbox inherit the variable.
    ///
    /// - Parameter calls: The access to `/.flatpak-info` and the process's profile.
    package init?(_ calls: any V4L2Calls) {
        if let information = calls.text(of: "/.flatpak-info") {
            self = .flatpak(app: Self.value(of: "name", in: information.split(separator: "\n")))
        } else if let profile = calls.text(of: "/proc/self/attr/current"), profile.hasPrefix("snap."),
            profile.hasSuffix("(enforce)")
        {
            self = .snap(name: profile.split(separator: ".").dropFirst().first.map(String.init) ?? "NAME")
        } else {
            return nil
        }
    }

    /// The sandbox of this process; nil outside of a sandbox.
    package static var current: Sandbox? { Sandbox(KernelCalls()) }

    /// The sandbox's kind, for messages.
    package var kind: String {
        switch self {
        case .flatpak: "Flatpak"
        case .snap: "Snap"
        }
    }

    /// The command with which the user permits the camera portal after a refusal.
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
