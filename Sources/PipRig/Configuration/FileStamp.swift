internal import Glibc

/// The inode, size and modification time of a file.
///
/// Two unequal stamps mean that the file has changed.
package struct FileStamp: Equatable {
    private let node: UInt64
    /// The size of the file, in bytes.
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the stamp of the file at a path; nil when `stat` fails, for example for a missing file.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (node, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
