internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Files that are written as a whole: they appear under their names when they are complete.
package enum WholeFile {
    /// Tells files apart that are written at the same time.
    private static let count = Atomic(0)

    /// Writes a file, or replaces the one that has its name; what is no ordinary file, such as a pipe, is written to.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - bytes: Its contents.
    /// - Throws: ``SinkError``; a file that was there stays as it was.
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

    /// A name in a folder that no other file has.
    static func partialPath(in folder: String) -> String {
        let unique = count.add(1, ordering: .relaxed).newValue
        return FilePath(folder).appending(".pip-compose-\(getpid())-\(unique).part").string
    }

    /// True for a device, a pipe or a link, which stays what it is.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Creates a file with its contents.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - bytes: Its contents.
    ///   - name: Its name in messages.
    /// - Throws: ``SinkError``; then there is no such file.
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
