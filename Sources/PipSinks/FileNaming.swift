internal import Glibc
internal import SystemPackage

/// The folder of a file; `.` for the current one.
package func folder(of path: String) -> String {
    let folder = FilePath(path).removingLastComponent().string
    return folder.isEmpty ? "." : folder
}

/// Flushes the folder of a file to the disk, without which the file's name would be lost by a power failure.
///
/// Blocks as long as the disk does. A file system without support flushes in its own time.
package func bringNameToDisk(of path: String) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
}
