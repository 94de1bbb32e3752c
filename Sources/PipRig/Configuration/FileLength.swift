internal import Glibc

/// A namespace for reading the length of a file.
package enum FileLength {
    /// Returns the length of a regular file in bytes; nil for any other path.
    package static func bytes(of path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
