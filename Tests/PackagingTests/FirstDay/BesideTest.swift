import Foundation

/// A program that runs beside a test, and that is killed with the last reference to this object.
///
/// `@unchecked Sendable` is safe, because threads other than the test's only send signals.
final class BesideTest: @unchecked Sendable {
    private let process = Process()
    private let ended = AsyncStream.makeStream(of: Void.self)

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - words: The program, found through `PATH`, and its arguments.
    ///   - folder: The program's working directory.
    ///   - log: The file that receives the program's output. Nil discards the output.
    /// - Throws: The error of the program's start or of the file.
    init(_ words: [String], in folder: URL, log: URL? = nil) throws {
        var said = FileHandle.nullDevice
        if let log {
            if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
            said = try FileHandle(forWritingTo: log)
            try said.seekToEnd()
        }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = said
        process.standardError = said
        process.terminationHandler = { [ended] _ in ended.continuation.finish() }
        try process.run()
    }

    deinit { send(SIGKILL) }

    private func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Kills the program and waits for its end.
    func end() async {
        send(SIGKILL)
        for await _ in ended.stream {}
    }

    /// Terminates the program and waits for its end.
    ///
    /// - Returns: The exit status, or the negative number of the signal that ended the program.
    func stop() async -> Int32 {
        send(SIGTERM)
        for await _ in ended.stream {}
        // The wait also ends when the test's time limit cancels the task.
        guard !process.isRunning else { return -SIGTERM }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
