internal import Glibc
internal import SystemPackage

/// A file that has its name once it is complete, and another one until then.
///
/// Whoever dies on the way leaves nothing under the name; the next one to try replaces what is left.
package struct UnfinishedFile: Sendable {
    /// The file's name.
    package let path: String
    /// Its name until it is complete: in the same folder, with the same ending, and hidden.
    package let temporaryPath: String
    private let overwrites: Bool

    /// - Parameters:
    ///   - path: The file's name.
    ///   - overwrites: Whether a file of the name is replaced.
    /// - Throws: ``SinkError`` when there is one that is not.
    package init(_ path: String, overwrites: Bool = false) throws(SinkError) {
        self.path = path
        self.overwrites = overwrites
        let name = FilePath(path)
        let last = name.lastComponent?.string ?? path
        temporaryPath = name.removingLastComponent().appending(".unfinished-\(last)").string
        if !overwrites, unsafe access(path, F_OK) == 0 { throw exists }
    }

    /// Gives the file its name.
    ///
    /// - Throws: ``SinkError`` when there is another one of the name by now, or the folder takes none.
    package func finish() throws(SinkError) {
        // A second name fails where there is a file of it; not all file systems have second names.
        if !overwrites, unsafe link(temporaryPath, path) == 0 {
            discard()
            return
        }
        if !overwrites, unsafe access(path, F_OK) == 0 { throw exists }
        guard unsafe rename(temporaryPath, path) != 0 else { return }
        let reason = Errno(rawValue: errno)
        throw SinkError(path, "name what was written to \(temporaryPath)", .failed, "\(reason)", errno: reason)
    }

    /// Deletes what was written.
    package func discard() { _ = unsafe unlink(temporaryPath) }

    private var exists: SinkError {
        SinkError(
            path, "create", .cannotCreate, "it exists; overwrite it with overwrite=on, or name another file",
            errno: .fileExists)
    }
}
