import Glibc
import PipCompose
import PipRig

/// The file of `--stats`.
///
/// The program opens the file before the run, so that an invalid path fails at once.
struct StatisticsFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Creates the file, or truncates an existing one.
    ///
    /// The path `-` means standard output.
    init(_ path: String) throws(CommandError) {
        self.path = path
        if path == "-" {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandError(SinkError.cannotCreate(path, errno: errno))
        }
    }

    /// Writes the document, and closes the file.
    ///
    /// The caller must call this function at most once.
    func write(_ document: JSON) throws(CommandError) {
        defer { if path != "-" { close(descriptor) } }
        guard let reason = writeAll(document.pretty + "\n", to: descriptor) else { return }
        throw CommandError(.outputFailed, "\(path): cannot write: \(systemMessage(reason))")
    }
}

/// Writes all bytes of a text, with as many calls of `write` as necessary.
///
/// - Returns: The `errno` of a failed call; nil for success.
func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            bytes = bytes.dropFirst(count)
        } else if errno != EINTR {
            return errno
        }
    }
    return nil
}
