internal import Glibc
internal import SystemPackage

/// Waits until the folder of a file says on the disk that the file is there: after a power cut it would have no name.
///
/// Blocks as long as the disk does. A file system that cannot do it does it in its own time.
package func bringNameToDisk(of path: String) {
    let folder = FilePath(path).removingLastComponent().string
    let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
}
