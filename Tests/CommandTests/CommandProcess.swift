import Foundation
import PipCompose
import PipTestSupport
import Testing

/// A running process that a ``CommandProcess`` waits for.
struct RunningCommand: Sendable {
    let identifier: Int32
    fileprivate let errorFile: URL

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// The text that the process has written to standard error so far.
    var errors: String { (try? Data(contentsOf: errorFile)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// A finished run of the program under test, or of another program.
struct CommandProcess {
    let status: Int32
    let output: Data
    let errors: String

    /// Runs a program in a folder until it ends, and kills it after `seconds`.
    ///
    /// The closure `meanwhile` receives the running process.
    init(
        _ arguments: [String], of program: URL = Self.program, in folder: URL, environment: [String: String] = [:],
        seconds: Int = 60,
        meanwhile: @escaping @Sendable (RunningCommand) async throws -> Void = { _ in }
    ) async throws {
        let process = Process()
        let names = [UUID().uuidString, UUID().uuidString]
        let files = try names.map { name in
            let path = folder.appending(path: ".\(name)").path
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            return (path, try FileHandle(forUpdating: URL(filePath: path)))
        }
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = files[0].1
        process.standardError = files[1].1
        try await Self.run(process, seconds: seconds) { identifier in
            try await meanwhile(RunningCommand(identifier: identifier, errorFile: URL(filePath: files[1].0)))
        }
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        output = try Data(contentsOf: URL(filePath: files[0].0))
        errors = String(decoding: try Data(contentsOf: URL(filePath: files[1].0)), as: UTF8.self)
        for (path, handle) in files {
            try handle.close()
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Runs a process until it ends, and kills it after `seconds`.
    private static func run(
        _ process: Process, seconds: Int, meanwhile: (Int32) async throws -> Void
    ) async throws {
        let ended = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        let watchdog = Task.detached {
            try await Task.sleep(for: .seconds(seconds))
            kill(identifier, SIGKILL)
        }
        try await meanwhile(identifier)
        for await _ in ended.stream {}
        watchdog.cancel()
    }

    /// Runs `pip-compose` in a folder, with arguments that a shell splits.
    ///
    /// The arguments may end with a redirection or a pipe.
    init(shell words: String, in folder: URL) async throws {
        try await self.init(
            ["-c", "\"$0\" \(words)", Self.program.path], of: URL(filePath: "/bin/bash"), in: folder)
    }

    /// The text that the process has written to standard output.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The program under test, from the folder of the tests' build.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "pip-compose")
}

/// Waits until a condition is true, such as the effect of another program.
///
/// Throws ``NothingHappened`` after half a minute.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<600 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(50))
    }
    throw NothingHappened()
}

struct NothingHappened: Error {}

extension TemporaryFolder {
    /// The size of a file in bytes; -1 for a file that does not exist.
    func size(_ name: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path(name)))?[.size] as? Int ?? -1
    }

    /// Reads a JSON object from a file in the folder.
    func object(_ name: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(read(name))) as? [String: Any])
    }

    /// Runs the program in the folder with arguments that blanks separate.
    func run(_ line: String) async throws -> CommandProcess {
        try await CommandProcess(line.split(separator: " ").map(String.init), in: url)
    }

    /// Runs the program in the folder, and expects exit status 0.
    @discardableResult
    func succeed(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> CommandProcess {
        let run = try await run(line)
        #expect(run.status == 0, "\(run.errors)", sourceLocation: sourceLocation)
        return run
    }
}

/// Y4M streams of 32×16 pixels.
enum Clip {
    static let size = PixelSize(32, 16)
    static let header = Array("YUV4MPEG2 W32 H16 F30:1 Ip A1:1 C420jpeg\n".utf8)
    static let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 128, count: 32 * 16 * 3 / 2)

    static func y4m(frames: Int) -> [UInt8] { header + Array(repeating: frame, count: frames).flatMap(\.self) }
}
