#if Media
internal import PipFrames
internal import Glibc
internal import PipSinks

/// The length of each file of a recording in several files.
///
/// Set the limit on a ``MovieFile`` or a ``CameraFile``.
public enum SegmentLimit: Sendable, Hashable {
    /// The duration of each file, from a second to a day.
    case duration(Duration)
    /// The size in bytes of the pictures in each file, at least 1,000,000.
    case bytes(Int)

    /// The reason why the limit is invalid, as a sentence without its full stop; nil for a valid limit.
    var mistake: String? {
        switch self {
        case .duration(let duration) where duration < .seconds(1) || duration > .seconds(86_400):
            "parts of \(duration) are too \(duration < .seconds(1) ? "short" : "long"): "
                + "the length must be from 1 second to 1 day"
        case .bytes(let bytes) where bytes < 1_000_000:
            "parts of \(bytes) bytes are too small: the size must be at least 1 MB"
        case .duration, .bytes: nil
        }
    }
}

/// The amount of old files to keep, for a recording in several files.
///
/// The oldest file is deleted first. The current file is never deleted. Set a retention on a recording that would
/// otherwise fill the disk. On a full disk, the oldest files are deleted even if the limit is not reached.
public enum Retention: Sendable, Hashable {
    /// The largest total size of the files in bytes, including the current file.
    case bytes(Int)
    /// The time since a file's last write above which the file is deleted.
    case age(Duration)

    /// One of the files of a recording, with its size and the time of its last write.
    struct File: Equatable {
        var path: String
        var bytes: Int
        /// The time of the file's last write, in seconds since 1970.
        var time: Int
    }

    /// Returns the files to delete, the oldest first.
    ///
    /// - Parameters:
    ///   - files: The recording's files, in any order.
    ///   - current: The paths of the files being written, which are kept.
    ///   - now: The current time, in seconds since 1970.
    ///   - reserve: The number of bytes that will be written before the next call. Nil for a whole file.
    /// - Returns: The files to delete.
    func surplus(of files: [File], keeping current: Set<String>, now: Int, reserve: Int?) -> [File] {
        let old = Self.complete(files, except: current)
        switch self {
        case .age(let age):
            return old.filter { now - $0.time > Int(age.components.seconds) }
        case .bytes(let limit):
            // A file being written becomes about as large as the newest complete file.
            let usual = old.last?.bytes ?? 0
            var total = files.reduce(reserve ?? usual) {
                $0 + (current.contains($1.path) ? max($1.bytes, usual) : $1.bytes)
            }
            var surplus: [File] = []
            for file in old where total > limit {
                surplus.append(file)
                total -= file.bytes
            }
            return surplus
        }
    }

    /// The complete files, the oldest first.
    private static func complete(_ files: [File], except current: Set<String>) -> [File] {
        files.filter { !current.contains($0.path) }.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
    }

    /// Deletes the files of a recording that exceed the limit.
    ///
    /// - Parameters:
    ///   - names: The names of the recording's files. No other file is touched.
    ///   - current: The paths of the files being written, which are kept.
    ///   - reserve: The number of bytes that will be written before the next call. Nil for a whole file.
    func apply(to names: FileNames, keeping current: Set<String>, reserve: Int?) {
        let files = Self.files(names)
        for file in surplus(of: files, keeping: current, now: Int(time(nil)), reserve: reserve) {
            // When a file cannot be deleted, the next call tries again.
            _ = unsafe unlink(file.path)
        }
    }

    /// Deletes complete files of a recording, the oldest first, until its disk has room.
    ///
    /// - Parameters:
    ///   - names: The names of the recording's files. No other file is touched.
    ///   - current: The paths of the files being written, which are kept.
    ///   - isEnough: Judges the room of the disk.
    /// - Returns: True in `hasRoom` when the disk has room, and the number of deleted files.
    func makeRoom(
        for names: FileNames, keeping current: Set<String>, _ isEnough: (DiskRoom) -> Bool
    ) -> (hasRoom: Bool, deleted: Int) {
        var old = Self.complete(Self.files(names), except: current)[...]
        var deleted = 0
        while let room = DiskRoom(folder: names.folder) {
            if isEnough(room) { return (true, deleted) }
            guard let file = old.popFirst() else { break }
            if unsafe unlink(file.path) == 0 { deleted += 1 }
        }
        return (false, deleted)
    }

    /// The files in the recording's folder whose names fit the recording's pattern.
    private static func files(_ names: FileNames) -> [File] {
        var files: [File] = []
        for name in Folder.entries(of: names.folder) where names.matches(name) {
            let path = names.folder == "." && !names.pattern.hasPrefix("./") ? name : names.folder + "/" + name
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            // The seconds are the first field. Swift finds the name `tv_sec` only with the imports of other files.
            let seconds = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe $0.load(as: time_t.self) }
            files.append(File(path: path, bytes: Int(status.st_size), time: seconds))
        }
        return files
    }
}
#endif
