internal import CDisplay
internal import SystemPackage

/// The socket of a Wayland compositor, as `WAYLAND_DISPLAY` has it.
struct WaylandAddress {
    private let name: String
    private let path: String

    /// - Parameters:
    ///   - name: The socket's name in `XDG_RUNTIME_DIR`, or its path.
    ///   - environment: Gives the value of a variable.
    /// - Throws: ``DisplayError`` when there is no such folder.
    init(_ name: String, _ environment: (String) -> String?) throws(DisplayError) {
        self.name = name
        guard !name.hasPrefix("/") else {
            path = name
            return
        }
        guard let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty else {
            throw DisplayError(
                "XDG_RUNTIME_DIR is not set, which is the folder of the Wayland socket \(name); in a service it is "
                    + "/run/user/ with the number of the user whose desktop it is")
        }
        path = "\(folder)/\(name)"
    }

    /// Connects to it.
    ///
    /// - Throws: ``DisplayError`` when nobody listens.
    func connect() throws(DisplayError) -> DisplaySocket {
        let result = unsafe pip_display_connect(path)
        guard result >= 0 else {
            throw DisplayError("no Wayland compositor answers at \(path): connect: \(Errno(rawValue: -result))")
        }
        return DisplaySocket(result)
    }
}
