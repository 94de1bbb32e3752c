internal import Glibc
internal import PipFrames
package import SystemPackage

/// The locked recordings of a folder: the files in its folder `locked`, where no retention deletes them.
package struct LockedFiles: Sendable {
    /// The name of the folder of locked recordings, within the folder of recordings.
    package static let folderName = "locked"

    /// The path of the folder of recordings.
    private let folder: String

    /// - Parameter folder: The path of the folder of recordings.
    package init(of folder: String) { self.folder = folder }

    /// Adds up the sizes of the locked recordings, in bytes.
    ///
    /// - Parameter isRecording: Returns true for the name of a recording; other files in the folder do not count.
    /// - Returns: The size of their files together.
    package func bytes(of isRecording: (String) -> Bool) -> Int {
        let path = "\(folder)/\(Self.folderName)"
        return Folder.entries(of: path).filter(isRecording).reduce(0) { sum, name in
            var status = stat()
            return unsafe lstat("\(path)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// Locks a recording: moves its file into the folder of locked recordings.
    ///
    /// - Parameter name: The file's name, without a folder.
    /// - Returns: The file's new path.
    /// - Throws: The error of the system call: ``SystemPackage/Errno/fileExists`` when a locked recording has the name.
    @discardableResult
    package func lock(_ name: String) throws(Errno) -> String {
        let locked = "\(folder)/\(Self.folderName)"
        guard unsafe mkdir(locked, 0o777) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        try Self.bringDataToDisk(of: "\(folder)/\(name)")
        try move("\(folder)/\(name)", to: "\(locked)/\(name)")
        return "\(locked)/\(name)"
    }

    /// Unlocks a recording: moves its file back into the folder of recordings.
    ///
    /// - Parameter name: The file's name, without a folder.
    /// - Throws: The error of the system call: ``SystemPackage/Errno/fileExists`` when a recording has the name.
    package func unlock(_ name: String) throws(Errno) {
        try move("\(folder)/\(Self.folderName)/\(name)", to: "\(folder)/\(name)")
    }

    /// Waits until the disk has a file's data: its writer may have completed the file just now.
    private static func bringDataToDisk(of path: String) throws(Errno) {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        defer { close(descriptor) }
        // Some file systems do not support `fsync`.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EINTR else { throw Errno(rawValue: errno) }
    }

    /// Moves a file, unless a file has the new path already, and waits until the disk has the new name.
    private func move(_ from: String, to path: String) throws(Errno) {
        try renameToNew(from, path)
        bringNameToDisk(of: path)
        bringNameToDisk(of: from)
    }
}
