internal import Glibc
package import SystemPackage

/// Finds screens.
///
/// Calls open device nodes for a moment and may block for some milliseconds.
package struct ScreenDirectory: Sendable {
    private let folder: String

    /// - Parameter folder: Where the devices are; another one for tests.
    package init(folder: String = "/dev/dri") { self.folder = folder }

    /// The devices that drive screens, in the order of their numbers.
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

    /// Why the devices cannot be opened, and the connectors of those that can.
    package func connectors() -> (found: [ScreenConnector], refused: [(device: String, reason: Errno)]) {
        var found: [ScreenConnector] = []
        var refused: [(device: String, reason: Errno)] = []
        for path in devices {
            do throws(Errno) {
                let device = try ScreenDevice(path)
                // A device without screens says so by refusing.
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
