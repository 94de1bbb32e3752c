internal import Glibc
internal import PipFrames

/// The contents of a small file that an effect is made from.
package struct EffectFile {
    /// The path as the caller gave it.
    package let path: String
    /// The file's contents.
    package let bytes: [UInt8]

    /// Reads the file at the path into memory.
    ///
    /// - Parameters:
    ///   - path: The path, which also names the file in problems.
    ///   - limit: The largest allowed size in bytes.
    /// - Throws: ``FileProblem`` when the file is missing, unreadable or too large, or no regular file, and when
    ///   the path is empty.
    package init(_ path: String, limit: Int) throws(FileProblem) {
        guard !path.isEmpty else { throw FileProblem("the path is empty; name a file") }
        self.path = path
        // Opening must not block, as it would for a named pipe without a writer.
        let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw Self.problem(path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.problem(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw FileProblem("\(path): cannot read: it is a folder; name a file in it")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem("\(path): cannot read: it is not a regular file")
        }
        guard status.st_size <= limit else {
            throw FileProblem("\(path): the file has \(status.st_size) bytes, but must have at most \(limit)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw Self.problem(path) }
            if got == 0 { break }
            count += got
        }
        self.bytes = Array(bytes[..<count])
    }

    /// The FNV-1a hash of the contents, in hexadecimal.
    package var checksum: String { String(fnv1a(bytes), radix: 16) }

    /// Makes a problem from the `errno` of the failed call.
    private static func problem(_ path: String) -> FileProblem {
        FileProblem("\(path): cannot read: \(systemMessage(errno))")
    }
}
