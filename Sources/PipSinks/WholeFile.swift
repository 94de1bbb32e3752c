internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Writes files that appear under their names once they are complete.
package enum WholeFile {
    /// The counter that distinguishes the temporary files of this process.
    private static let count = Atomic(0)

    /// Writes a file, and replaces an existing file.
    ///
    /// A special file, such as a pipe, is written in place.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - bytes: The file's contents.
    /// - Throws: ``SinkError``; then an existing file is unchanged, unless it is special.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SinkError) {
        if isSpecial(path) { return try create(path, bytes, for: path) }
        let partial = partialPath(in: folder(of: path))
        try create(partial, bytes, for: path)
        if unsafe rename(partial, path) != 0 {
            let reason = Errno(rawValue: errno)
            _ = unsafe unlink(partial)
            throw SinkError.cannotCreate(path, reason)
        }
    }

    /// Makes a unique temporary path in a folder.
    static func partialPath(in folder: String) -> String {
        let unique = count.add(1, ordering: .relaxed).newValue
        return FilePath(folder).appending(".pip-compose-\(getpid())-\(unique).part").string
    }

    /// True for a device, a pipe, a socket or a link, which must not be replaced.
    static func isSpecial(_ path: String) -> Bool { PipSinks.isSpecial(unsafe fileType(path)) }

    /// Creates a file with its contents.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - bytes: The file's contents.
    ///   - name: The file's name in messages.
    /// - Throws: ``SinkError``; then the file is deleted, unless it is special.
    static func create(_ path: String, _ bytes: [UInt8], for name: String) throws(SinkError) {
        do {
            let file = try unsafe FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
            do {
                try file.writeAll(bytes)
            } catch {
                try? file.close()
                throw error
            }
            try file.close()
        } catch {
            if !isSpecial(path) { _ = unsafe unlink(path) }
            throw SinkError.cannotCreate(name, error as? Errno ?? .ioError)
        }
    }
}
