#if Control
internal import CPlatform
internal import Glibc
internal import PipFrames

/// The folder in which clients may create files.
///
/// No path and no symbolic link leads out of the folder. Clients cannot create links, so a checked path stays safe
/// until a sink opens it.
struct PanelFolder {
    private let root: String
    private let asksKernel: Bool

    /// - Parameters:
    ///   - root: The folder's path, whose symbolic links are resolved.
    ///   - asksKernel: False to resolve links without `openat2`, which older kernels lack.
    init(_ root: String, asksKernel: Bool = true) {
        self.asksKernel = asksKernel
        self.root = Folder.resolved(root) ?? root
    }

    /// The absolute path of a file in the folder.
    ///
    /// The check is textual: it does not read the disk.
    ///
    /// - Throws: ``Problem`` for a path that is absolute, begins with `~`, or has control characters, an empty part, or
    ///   the parts `.` or `..`.
    func path(of name: String) throws(Problem) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !name.hasPrefix("~"),
            !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else { throw Problem(422, "\(name) must be a path below the panel's folder, such as recordings/drive.mp4") }
        return "\(root)/\(name)"
    }

    /// Creates the folders of a file, and refuses a path that leads out of the panel's folder through a link.
    ///
    /// - Parameter name: The path. `strftime` fields in the names of folders are replaced by the current time; those in
    ///   the file's name, and its query, are kept.
    /// - Returns: The absolute path, with the fields in the folders' names replaced.
    /// - Throws: ``Problem`` for a path that ``path(of:)`` refuses or that leads out of the folder, and for a folder
    ///   that cannot be created.
    func prepare(_ name: String) throws(Problem) -> String {
        _ = try path(of: name)
        var parts = name.split(separator: "/").map(String.init)
        let file = parts.removeLast()
        let folders = parts.joined(separator: "/")
        parts = (folders.contains("%") ? Self.filled(folders) : folders).split(separator: "/").map(String.init)
        var folder = ""
        for part in parts {
            folder += folder.isEmpty ? part : "/" + part
            if try isThere(folder) { continue }
            // Another request may have created the folder in the meantime.
            guard unsafe mkdir("\(root)/\(folder)", 0o777) == 0 || errno == EEXIST else {
                throw Problem(409, "\(folder): the folder cannot be made: \(systemMessage(errno))")
            }
        }
        // The names of segments and of unfinished files begin like the name of the file, so they are checked, too.
        let beginning = file.prefix { !"%?.".contains($0) }
        let names = Folder.entries(of: "\(root)/\(folder)")
        for entry in names where entry.drop(while: { $0 == "." }).hasPrefix(beginning) {
            let path = folder.isEmpty ? entry : "\(folder)/\(entry)"
            // A sink cannot write to a folder, so folders are harmless.
            if !isFolder(path) { _ = try isThere(path) }
        }
        return "\(root)/" + (folder.isEmpty ? file : "\(folder)/\(file)")
    }

    /// True for a path that exists, false for a path that can be created.
    ///
    /// - Throws: ``Problem`` for a path that leads out of the folder through a link, or cannot be looked up.
    private func isThere(_ path: String) throws(Problem) -> Bool {
        switch asksKernel ? found(path) ?? resolved(path) : resolved(path) {
        case 0: return true
        case ENOENT: return false
        case EXDEV: throw Problem(422, "\(path) leads out of the panel's folder through a symbolic link")
        case let number:
            throw Problem(409, "\(path) cannot be used: \(systemMessage(number))")
        }
    }

    /// Looks up a path with `openat2`, which refuses links out of the folder.
    ///
    /// Returns 0 for a path that exists, an `errno`, or nil where `openat2` is missing or forbidden.
    private func found(_ path: String) -> CInt? {
        let folder = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return errno }
        defer { close(folder) }
        let found = unsafe pip_find_beneath(folder, path)
        if found >= 0 { close(found) }
        // Some system call filters (seccomp) answer EPERM to unknown calls.
        return found == -ENOSYS || found == -EPERM ? nil : max(0, -found)
    }

    /// Looks up a path by resolving its links in this process.
    ///
    /// Returns 0 for a path that exists, or an `errno`: `EXDEV` for a path out of the folder and for a dangling link.
    private func resolved(_ path: String) -> CInt {
        let whole = "\(root)/\(path)"
        guard let target = Folder.resolved(whole) else {
            let reason = errno
            var status = stat()
            let isLink = unsafe lstat(whole, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            return reason == ENOENT && isLink ? EXDEV : reason
        }
        return target.hasPrefix(root == "/" ? root : root + "/") ? 0 : EXDEV
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func filled(_ pattern: String) -> String {
        var now = time(nil)
        var parts = unsafe tm()
        unsafe localtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe strftime(&buffer, buffer.count, pattern, &parts)
        return count == 0
            ? pattern : String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
