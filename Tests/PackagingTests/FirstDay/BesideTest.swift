import Foundation

/// A program that runs beside a test, and is killed with the last reference to it.
// Only signals are sent by other threads than that of the test.
final class BesideTest: @unchecked Sendable {
    private let process = Process()
    private let ended = AsyncStream.makeStream(of: Void.self)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - words: The program, which is looked for in `PATH`, and its arguments.
    ///   - folder: Where it runs.
    ///   - log: A file that what it says is added to; nil throws that away.
    /// - Throws: What goes wrong with the program or the file.
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

    /// Kills it, and waits until it is gone.
    func end() async {
        send(SIGKILL)
        for await _ in ended.stream {}
    }

    /// Asks it to end, and waits until it is gone.
    ///
    /// - Returns: Its exit status; negative for a signal.
    func stop() async -> Int32 {
        send(SIGTERM)
        for await _ in ended.stream {}
        // A test that is out of time waits no longer.
        guard !process.isRunning else { return -SIGTERM }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
