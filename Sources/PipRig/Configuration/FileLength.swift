internal import Foundation

/// The length of a file.
package enum FileLength {
    /// Bytes of a regular file; nil for what is none.
    package static func bytes(of path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
