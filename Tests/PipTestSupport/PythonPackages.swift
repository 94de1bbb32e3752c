package import Foundation

/// The Python packages that `Tests/Python/install` installs, which tests use as servers, clients and validators.
package enum PythonPackages {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the Python scripts.
    package static let scripts = root.appending(path: "Tests/Python")

    /// True if the packages are installed.
    package static let areInstalled = isThere("installed.txt")

    /// The path of a program of the packages, such as `python3`; nil if the packages or the program are not installed.
    package static func program(_ name: String) -> String? {
        areInstalled && isThere("bin/\(name)") ? folder.appending(path: "bin/\(name)").path : nil
    }

    private static let folder = root.appending(path: ".build/python")

    private static func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }

    /// Runs a program of the packages to its end.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - arguments: The arguments of the program.
    ///   - environment: The variables to add to those of this process.
    ///   - folder: The working directory, to which the log is written.
    /// - Returns: The output and errors of the program, and its exit status.
    /// - Throws: The error of starting the program, or of writing or reading the log.
    package static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], in folder: URL
    ) async throws -> (said: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: program(name) ?? "/nonexistent")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        process.currentDirectoryURL = folder
        // The output goes to a file, because a pipe would have to be read while the program runs.
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
