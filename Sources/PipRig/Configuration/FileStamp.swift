internal import Foundation

/// The inode, size and modification time of a file, by which a reader notices that the file has changed.
package struct FileStamp: Equatable {
    private let node: UInt64
    /// Units: bytes.
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the present state; nil for a path that does not exist.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (node, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
