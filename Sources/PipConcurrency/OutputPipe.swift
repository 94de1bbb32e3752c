internal import CPlatform
internal import Glibc

/// A pipe for the output of a program.
///
/// Thread: one at a time.
final class OutputPipe {
    /// The largest number of bytes that one call reads.
    private static let chunk = 1 << 16

    private let reader: Int32
    let writer: Int32
    private var isAtEnd = false
    private var hasWriter = true

    /// The end for reading; nil once all that was written has been read and nobody writes any more.
    var openReader: Int32? { isAtEnd ? nil : reader }

    /// Creates a pipe; nil when the process has no free descriptors.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pip_pipe(&ends) == 0 else { return nil }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        closeWriter()
        close(reader)
    }

    /// Closes this process's end for writing, so that the pipe ends with the program.
    func closeWriter() {
        if hasWriter { close(writer) }
        hasWriter = false
    }

    /// Reads without waiting, at most 64 KiB; nil when nothing is there.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count = unsafe Glibc.read(reader, &bytes, bytes.count)
        if count == 0 { isAtEnd = true }
        return count > 0 ? Array(bytes[..<count]) : nil
    }
}
