import Foundation
import Testing

/// A finished run of a program of this machine.
struct Tool {
    let status: Int32
    /// The standard output and standard error of the program, interleaved.
    let said: String

    /// Runs a program, found through `PATH`, to its end.
    init(_ words: [String], in folder: URL? = nil, environment: [String: String] = [:]) async throws {
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

    /// Reads a descriptor to its end, even if signals interrupt the calls.
    private static func everything(from descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
        }
    }

    /// True if a program of this name is in one of the usual folders.
    static func exists(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if any of its programs is missing; the reason names the missing programs.
    static func needs(_ programs: String...) -> Self {
        let missing = programs.filter { !Tool.exists($0) }
        return .enabled(if: missing.isEmpty, "needs \(missing.joined(separator: ", ")): `make test-setup` installs it")
    }
}

/// The paths of files that tests need.
enum Place {
    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let packaging = sources.appending(path: "Packaging")
    /// The folder of the programs that were built with the tests.
    static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static let program = programs.appending(path: "pip-compose")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: packaging.appending(path: path), encoding: .utf8)
    }
}
