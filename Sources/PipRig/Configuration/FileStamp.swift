internal import Foundation

/// What tells one state of a file from the next.
package struct FileStamp: Equatable {
    private let node: UInt64
    /// In bytes.
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The state now; nil for what is not there.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (node, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
