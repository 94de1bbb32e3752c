internal import Glibc
package import SystemPackage

/// Finds the devices that drive screens.
package struct ScreenDirectory: Sendable {
    private let folder: String

    /// - Parameter folder: The folder of the device nodes; tests use another folder.
    package init(folder: String = "/dev/dri") { self.folder = folder }

    /// The paths of the device nodes, in the order of their numbers.
    package var devices: [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var numbers: [Int] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("card"), let number = Int(name.dropFirst(4)) { numbers.append(number) }
        }
        return numbers.sorted().map { "\(folder)/card\($0)" }
    }

    /// Lists the connectors of all devices, and the devices that cannot be opened.
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
