#if Media
internal import Glibc
internal import PipSinks

/// The length of each file of a recording in several files.
///
/// Set it on a ``MovieFile`` or a ``CameraFile``.
public enum SegmentLimit: Sendable, Hashable {
    /// A length in time.
    case duration(Duration)
    /// A size in bytes.
    case bytes(Int)

    /// The reason why the limit is invalid, as a sentence without its full stop; nil for a valid limit.
    var mistake: String? {
        switch self {
        case .duration(let duration) where duration < .seconds(1) || duration > .seconds(86_400):
            "parts of \(duration) are not between a second and a day"
        case .bytes(let bytes) where bytes < 1_000_000: "parts of \(bytes) bytes are less than a megabyte"
        case .duration, .bytes: nil
        }
    }
}

/// The amount of a recording in several files that is kept.
///
/// The oldest file is deleted first, the current file never. Set it on a recording that would otherwise fill the disk.
public enum Retention: Sendable, Hashable {
    /// A size of all files in bytes, the current file included.
    case bytes(Int)
    /// An age, above which files are deleted.
    case age(Duration)

    /// A file of a recording.
    struct File: Equatable {
        var path: String
        var bytes: Int
        /// The time of the last write, in seconds since 1970.
        var time: Int
    }

    /// The files to delete, oldest first.
    ///
    /// - Parameters:
    ///   - files: The recording's files, in any order.
    ///   - current: The paths of the files being written, which are kept.
    ///   - now: The present, in seconds since 1970.
    ///   - reserve: The bytes that are written before the next call. Nil for a whole file.
    /// - Returns: The files to delete.
    func surplus(of files: [File], keeping current: Set<String>, now: Int, reserve: Int?) -> [File] {
        let old = files.filter { !current.contains($0.path) }.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
        switch self {
        case .age(let age):
            return old.filter { now - $0.time > Int(age.components.seconds) }
        case .bytes(let limit):
            // A file being written becomes about as large as the newest complete one.
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

    /// Deletes the surplus files of a recording.
    ///
    /// - Parameters:
    ///   - names: The names of the recording's files. No other file is touched.
    ///   - current: The paths of the files being written.
    ///   - reserve: The bytes that are written before the next call. Nil for a whole file.
    func apply(to names: FileNames, keeping current: Set<String>, reserve: Int?) {
        let files = Self.files(names)
        for file in surplus(of: files, keeping: current, now: Int(time(nil)), reserve: reserve) {
            // The next call tries again to delete a file that could not be deleted.
            _ = unsafe unlink(file.path)
        }
    }

    /// The files of a recording.
    private static func files(_ names: FileNames) -> [File] {
        guard let folder = unsafe opendir(names.folder) else { return [] }
        defer { unsafe closedir(folder) }
        var files: [File] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard names.matches(name) else { continue }
            let path = names.folder == "." && !names.pattern.hasPrefix("./") ? name : names.folder + "/" + name
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            // Seconds come first. The C module that has `tv_sec` depends on the imports of other files.
            let seconds = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe $0.load(as: time_t.self) }
            files.append(File(path: path, bytes: Int(status.st_size), time: seconds))
        }
        return files
    }
}
#endif
