internal import Glibc
internal import SystemPackage

/// The folder of a file; `.` for the current one.
package func folder(of path: String) -> String {
    let folder = FilePath(path).removingLastComponent().string
    return folder.isEmpty ? "." : folder
}

/// Waits until the folder of a file says on the disk that the file is there: after a power cut it would have no name.
///
/// Blocks as long as the disk does. A file system that cannot do it does it in its own time.
package func bringNameToDisk(of path: String) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
}
