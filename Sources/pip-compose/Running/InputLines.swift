import PipConcurrency

/// The lines of standard input, for triggers that wait for a line.
enum InputLines {
    /// The largest number of lines that wait for the reader.
    private static let most = 64

    /// Reads standard input on a new thread, which ends with the input.
    ///
    /// - Returns: The lines without their ends. Lines that find no room are left out.
    static func stream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(most))
        _ = WorkerThread(name: "pip-lines") {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }
}
