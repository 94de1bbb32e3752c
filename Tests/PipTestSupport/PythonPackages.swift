package import Foundation

/// What `Tests/Python/install` installs: packages of Python that are peers and judges in tests.
package enum PythonPackages {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the scripts in Python.
    package static let scripts = root.appending(path: "Tests/Python")

    /// False where they are not installed.
    package static let areInstalled = isThere("installed.txt")

    /// The path of an installed program, such as `python3`; nil when they are not installed.
    package static func program(_ name: String) -> String? {
        areInstalled && isThere("bin/\(name)") ? folder.appending(path: "bin/\(name)").path : nil
    }

    private static let folder = root.appending(path: ".build/python")

    private static func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }

    /// Runs a program of them to its end.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - arguments: Its arguments.
    ///   - environment: Variables beside those of the test.
    ///   - folder: Where it runs, and may write.
    /// - Returns: What it said, and how it ended.
    /// - Throws: What starting it throws.
    package static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], in folder: URL
    ) async throws -> (said: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: program(name) ?? "/nonexistent")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        process.currentDirectoryURL = folder
        // A file: a pipe would have to be read meanwhile.
        let log = folder.appending(path: "\(name).log")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return (try String(contentsOf: log, encoding: .utf8), status)
    }
}
