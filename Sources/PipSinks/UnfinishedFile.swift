internal import Glibc
internal import SystemPackage

/// A file that has a temporary name until it is complete.
///
/// A crash leaves no incomplete file under the final name. The next attempt replaces the temporary file.
package struct UnfinishedFile: Sendable {
    /// The file's final path.
    package let path: String
    /// The temporary path: a hidden file in the same folder, with the same extension.
    package let temporaryPath: String
    private let overwrites: Bool

    /// - Parameters:
    ///   - path: The file's final path.
    ///   - overwrites: True to replace an existing file.
    /// - Throws: ``SinkError`` when the file exists and must not be replaced.
    package init(_ path: String, overwrites: Bool = false) throws(SinkError) {
        self.path = path
        self.overwrites = overwrites
        let name = FilePath(path)
        let last = name.lastComponent?.string ?? path
        temporaryPath = name.removingLastComponent().appending(".unfinished-\(last)").string
        if !overwrites, unsafe access(path, F_OK) == 0 { throw .exists(path) }
    }

    /// Gives the complete file its final path.
    ///
    /// - Throws: ``SinkError`` when a file with this path exists by now and must not be replaced, or when the
    ///   temporary file cannot be renamed.
    package func finish() throws(SinkError) {
        do throws(Errno) {
            guard overwrites else { return try renameToNew(temporaryPath, path) }
            guard unsafe rename(temporaryPath, path) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            if !overwrites, error == .fileExists { throw .exists(path) }
            throw SinkError(path, "rename \(temporaryPath) to this name", .failed, error)
        }
    }

    /// Deletes the temporary file.
    package func discard() { _ = unsafe unlink(temporaryPath) }
}
