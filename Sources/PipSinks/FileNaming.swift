internal import CPlatform
internal import Glibc
package import SystemPackage

/// The folder of a file; `.` for the current folder.
package func folder(of path: String) -> String {
    let folder = FilePath(path).removingLastComponent().string
    return folder.isEmpty ? "." : folder
}

/// Flushes the folder of a file to the disk, so that a power failure does not lose the file's name.
///
/// Blocks until the disk has answered. Errors are ignored, because some file systems cannot flush a folder.
package func bringNameToDisk(of path: String) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
}

/// Renames a file, unless a file has the new path already.
///
/// - Throws: The error of the system call: ``SystemPackage/Errno/fileExists`` when a file has the new path.
package func renameToNew(_ from: String, _ path: String) throws(Errno) {
    if unsafe pip_rename_to_new(from, path) == 0 { return }
    // Not all file systems can refuse to replace a file.
    guard errno == EINVAL || errno == ENOSYS else { throw Errno(rawValue: errno) }
    guard unsafe access(path, F_OK) != 0 else { throw .fileExists }
    guard unsafe rename(from, path) == 0 else { throw Errno(rawValue: errno) }
}

/// Creates a folder if it is missing; its parent must exist.
///
/// - Throws: ``SinkError``, kind `cannotCreate`.
func createFolder(_ folder: String) throws(SinkError) {
    guard unsafe access(folder, F_OK) != 0, errno == ENOENT else { return }
    guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw SinkError.cannotCreate(folder, Errno(rawValue: errno))
    }
}

/// The type of a file from `lstat`, such as `S_IFREG`; nil when `lstat` fails, as for a missing file.
@unsafe func fileType(_ path: UnsafePointer<CChar>) -> mode_t? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
}

/// True for a type of file that must not be replaced: a device, a pipe, a socket or a link.
func isSpecial(_ type: mode_t?) -> Bool { type != nil && type != S_IFREG && type != S_IFDIR }
