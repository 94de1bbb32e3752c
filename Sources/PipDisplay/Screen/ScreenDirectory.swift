internal import PipFrames
package import SystemPackage

/// Finds the devices that drive screens.
package struct ScreenDirectory: Sendable {
    private let folder: String

    /// - Parameter folder: The folder of the device nodes; tests use another folder.
    package init(folder: String = "/dev/dri") { self.folder = folder }

    /// The paths of the device nodes, in the order of their numbers; empty when the folder cannot be read.
    package var devices: [String] {
        let numbers = Folder.entries(of: folder).compactMap { $0.hasPrefix("card") ? Int($0.dropFirst(4)) : nil }
        return numbers.sorted().map { "\(folder)/card\($0)" }
    }

    /// Lists the connectors of all devices, and the devices that cannot be opened or read.
    ///
    /// The call opens each device for a moment, which may block for some milliseconds.
    package func connectors() -> (found: [ScreenConnector], refused: [(device: String, reason: Errno)]) {
        var found: [ScreenConnector] = []
        var refused: [(device: String, reason: Errno)] = []
        for path in devices {
            do throws(Errno) {
                let device = try ScreenDevice(path)
                // A device that drives no screens refuses to list resources.
                guard let resources = try? device.resources() else { continue }
                for identifier in resources.connectors {
                    let connector = try device.connector(identifier)
                    found.append(
                        ScreenConnector(device: path, name: connector.name, isConnected: connector.isConnected))
                }
            } catch { refused.append((path, error)) }
        }
        return (found, refused)
    }
}
