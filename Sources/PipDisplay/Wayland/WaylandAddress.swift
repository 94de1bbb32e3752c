internal import CDisplay
internal import SystemPackage

/// Finds the sockets of Wayland compositors.
enum WaylandAddress {
    /// Connects to a compositor.
    ///
    /// - Parameters:
    ///   - name: The socket's name in `XDG_RUNTIME_DIR`, or its path, in the form of `WAYLAND_DISPLAY`.
    ///   - environment: Returns the value of an environment variable; nil when it is not set.
    /// - Returns: The new connection, on which nothing was sent.
    /// - Throws: ``DisplayError`` when `XDG_RUNTIME_DIR` is needed and not set, or no compositor listens.
    static func connect(to name: String, _ environment: (String) -> String?) throws(DisplayError) -> DisplaySocket {
        var path = name
        if !name.hasPrefix("/") {
            guard let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty else {
                throw DisplayError(
                    "XDG_RUNTIME_DIR, the folder of the Wayland socket \(name), is not set; in a service, set it to "
                        + "/run/user/UID, with the user ID of the desktop's user")
            }
            path = "\(folder)/\(name)"
        }
        let result = unsafe pip_display_connect(path)
        guard result >= 0 else {
            throw DisplayError("no Wayland compositor answers at \(path): connect: \(Errno(rawValue: -result))")
        }
        return DisplaySocket(result, to: "the Wayland compositor at \(name)")
    }
}
