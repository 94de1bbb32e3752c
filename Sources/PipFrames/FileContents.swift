internal import Glibc

/// Functions that read a file into memory.
package enum FileContents {
    /// Reads a file from its beginning, to its end or up to a limit.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The largest number of bytes to read; the rest of the file is left out.
    /// - Returns: The bytes. Nil when the file cannot be read, with the cause in `errno`.
    package static func bytes(of path: String, limit: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        var bytes: [UInt8] = []
        let cause = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer -> CInt in
            while bytes.count < limit {
                let count = unsafe read(file, buffer.baseAddress, min(buffer.count, limit - bytes.count))
                if count < 0 && errno == EINTR { continue }
                if count < 0 { return errno }
                if count == 0 { break }
                unsafe bytes.append(contentsOf: buffer[..<count])
            }
            return 0
        }
        close(file)
        guard cause == 0 else {
            errno = cause
            return nil
        }
        return bytes
    }

    /// Reads a text without the white space at its end.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The largest number of bytes to read. Files of `/sys` fit into a page; lists of `/proc` may be longer.
    /// - Returns: The text, with invalid UTF-8 replaced. Nil when the file cannot be read, with the cause in
    ///   `errno`.
    package static func text(of path: String, limit: Int = 1 << 16) -> String? {
        guard var bytes = bytes(of: path, limit: limit) else { return nil }
        while let last = bytes.last, last <= UInt8(ascii: " ") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
