internal import SystemPackage

/// Finds the screen that a ``ScreenName`` refers to.
struct ScreenChoice {
    private let name: ScreenName
    private let directory: ScreenDirectory

    init(_ name: ScreenName, _ directory: ScreenDirectory) {
        self.name = name
        self.directory = directory
    }

    /// Opens the device of the screen.
    ///
    /// - Returns: The open device, and the connector of the screen.
    /// - Throws: ``DisplayError`` when no screen fits the name, or its device cannot be opened.
    func choose() throws(DisplayError) -> (ScreenDevice, ScreenDevice.Connector) {
        let paths = name.device.map { [$0] } ?? directory.devices
        guard !paths.isEmpty else {
            throw DisplayError(
                "no device drives screens (no /dev/dri/card*): load the GPU's driver (on a Raspberry Pi: "
                    + "dtoverlay=vc4-kms-v3d), or in a container: docker run --device /dev/dri …")
        }
        var problems: [String] = []
        var seen: [String] = []
        for path in paths {
            do throws(Errno) {
                let device = try ScreenDevice(path)
                guard let resources = try? device.resources(), device.showsMemory else {
                    problems.append("\(path) drives no screens, or cannot show pictures from the CPU's memory")
                    continue
                }
                for identifier in resources.connectors {
                    let connector = try device.connector(identifier)
                    let isWanted = name.connector == nil || name.connector == connector.name
                    if isWanted, connector.isConnected { return (device, connector) }
                    if isWanted {
                        problems.append("\(path): no screen is connected at \(connector.name), or it is off")
                    }
                    seen.append(connector.name)
                }
            } catch { problems.append(Self.problem(path, error)) }
        }
        guard problems.isEmpty else {
            // A device that could not be read may have the connector.
            if let connector = name.connector, !seen.isEmpty, !seen.contains(connector) {
                problems.append("\(connector) is none of the connectors found: \(seen.joined(separator: ", "))")
            }
            throw DisplayError(problems.joined(separator: "; "))
        }
        let others =
            seen.isEmpty
            ? "there are no connectors at \(paths.joined(separator: " and "))"
            : "the connectors are \(seen.joined(separator: ", "))"
        throw DisplayError(name.connector.map { "there is no connector \($0); \(others)" } ?? others)
    }

    private static func problem(_ path: String, _ error: Errno) -> String {
        switch error {
        case .permissionDenied, .notPermitted:
            "\(path) may not be opened; to allow access: sudo usermod -aG video $USER, then log in again"
        case .noSuchFileOrDirectory: "\(path): there is no such device"
        default: "\(path) cannot be opened or read: \(error)"
        }
    }
}
