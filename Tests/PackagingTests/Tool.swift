import Foundation
import Testing

/// The result of running one of the machine's programs.
struct Tool {
    let status: Int32
    /// The program's standard output and standard error.
    let said: String

    /// Runs a program found through `PATH`.
    init(
        _ words: [String], in folder: URL? = nil, environment: [String: String] = [:], input: Data? = nil
    ) async throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        said = String(decoding: Self.everything(from: pipe.fileHandleForReading.fileDescriptor), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// Reads a descriptor to its end.
    ///
    /// Signals to the process do not interrupt the reading.
    private static func everything(from descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
        }
    }

    /// True if `PATH` contains a program of this name.
    static func exists(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test whose program is missing, and reports the program's name.
    static func needs(_ programs: String...) -> Self {
        let missing = programs.filter { !Tool.exists($0) }
        return .enabled(if: missing.isEmpty, "needs \(missing.joined(separator: ", ")): `make test-setup` installs it")
    }
}

/// The paths of the tests' files.
enum Place {
    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let packaging = sources.appending(path: "Packaging")
    /// The programs in the tests' build folder.
    static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static let program = programs.appending(path: "pip-compose")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: packaging.appending(path: path), encoding: .utf8)
    }
}
