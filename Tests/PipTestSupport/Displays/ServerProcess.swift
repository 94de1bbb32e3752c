package import Foundation

/// A display server that a test starts, and that is killed with the last reference to this object.
///
/// `@unchecked Sendable` is safe, because threads other than the test's only send signals.
package final class ServerProcess: @unchecked Sendable {
    private let process = Process()

    /// Starts a program, and waits until a line of its output reports that the program is ready.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - environment: Variables to add to those of this process.
    ///   - ready: Returns true for the line that reports readiness.
    /// - Throws: ``ServerFailure`` if the program ends before it is ready.
    package init(
        _ words: [String], _ environment: [String: String] = [:], until ready: (String) -> Bool
    ) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var said = ""
        var line = ""
        while true {
            let bytes = output.fileHandleForReading.readData(ofLength: 1)
            guard !bytes.isEmpty else { throw ServerFailure("\(words[0]) has ended before it was ready: \(said)") }
            let text = String(decoding: bytes, as: UTF8.self)
            said += text
            if text == "\n" {
                if ready(line) { break }
                line = ""
            } else {
                line += text
            }
        }
        // Later output is discarded, because the program must not block on a full pipe.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    deinit { end() }

    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Kills the server, and waits until it has ended.
    package func end() {
        guard process.isRunning else { return }
        send(SIGKILL)
        process.waitUntilExit()
    }
}

/// Runs a program to its end, and throws ``ServerFailure`` if it fails.
///
/// - Returns: The standard output of the program.
@discardableResult
package func runToEnd(_ words: [String], _ environment: [String: String] = [:], in folder: String? = nil) throws -> Data
{
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ServerFailure("\(words[0]) ended with status \(process.terminationStatus)")
    }
    return data
}

/// The failure of a server or program that a test needs.
package struct ServerFailure: Error {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}
