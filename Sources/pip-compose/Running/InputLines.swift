import Glibc
import PipConcurrency

/// The lines of standard input, for triggers that wait for a line.
enum InputLines {
    /// The largest number of lines that wait for the reader.
    private static let most = 64

    /// Reads standard input on a new thread, which ends with the input.
    ///
    /// - Returns: The lines without their ends. Lines that find no room are left out, as are the ends of long lines.
    static func stream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(most))
        _ = WorkerThread(name: "pip-lines") {
            var lines = LineSplitter()
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for line in lines.take(Array(bytes[..<count])) { continuation.yield(line) }
            }
            if let last = lines.end() { continuation.yield(last) }
            continuation.finish()
        }
        return stream
    }
}
