#if Media
internal import Glibc
package import PipSources
package import SystemPackage

/// An open file of a recording.
///
/// Thread: any. The file keeps its content when it is renamed or deleted meanwhile.
package final class RecordingFile: Sendable {
    /// The size in bytes when the file was opened; a file that is being written grows.
    package let size: Int
    /// A text that differs between two contents of a file.
    package let tag: String
    private let descriptor: CInt

    /// Opens a file, which must not be a link.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: The error of the system call.
    package init(_ path: String) throws(Errno) {
        descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let reason = Errno(rawValue: errno)
            close(descriptor)
            throw reason
        }
        size = Int(status.st_size)
        tag = "\(size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)"
    }

    deinit { close(descriptor) }

    /// Reads bytes, and blocks until the disk has delivered them.
    ///
    /// - Parameters:
    ///   - count: The largest number of bytes.
    ///   - position: The number of bytes before the first one.
    /// - Returns: The bytes, one at least.
    /// - Throws: The error of the system call; ``SystemPackage/Errno/ioError`` at the end of the file.
    package func read(_ count: Int, at position: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let done = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, count, position) }
        guard done > 0 else { throw done == 0 ? .ioError : Errno(rawValue: errno) }
        bytes.removeLast(count - done)
        return bytes
    }
}

extension Recordings {
    /// Opens the file of a recording that is listed.
    ///
    /// - Throws: ``PipSources/SourceError`` when there is no such recording, or when its file cannot be opened.
    package func open(_ name: String) throws(SourceError) -> (recording: Recording, file: RecordingFile) {
        let recording = try recording(name)
        let path = path(of: recording.name)
        do throws(Errno) { return (recording, try RecordingFile(path)) } catch {
            throw SourceError(path, "open", error)
        }
    }
}
#endif
