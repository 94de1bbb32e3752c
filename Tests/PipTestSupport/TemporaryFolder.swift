package import Foundation

/// A folder that is deleted when the last reference to this object is released.
package final class TemporaryFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appending(path: "pip-test-\(UUID().uuidString)")

    package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func path(_ name: String) -> String { url.appending(path: name).path }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: url.appending(path: name))
    }

    package func read(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url.appending(path: name))) }

    /// The sorted names of the files in the folder, except hidden ones.
    package var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasPrefix(".") }.sorted()
        }
    }

    /// Makes a named pipe, and returns its path.
    package func pipe(_ name: String) throws -> String {
        let path = path(name)
        guard unsafe mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
        return path
    }
}
