#if Media
internal import Glibc
internal import PipSinks

/// When a recording goes on in another file.
public enum SegmentLimit: Sendable, Hashable {
    /// After a time.
    case duration(Duration)
    /// After so many bytes.
    case bytes(Int)

    /// What is wrong with it; nil when all is well.
    var mistake: String? {
        switch self {
        case .duration(let duration) where duration < .seconds(1) || duration > .seconds(86_400):
            "parts of \(duration) are not between a second and a day"
        case .bytes(let bytes) where bytes < 1_000_000: "parts of \(bytes) bytes are less than a megabyte"
        case .duration, .bytes: nil
        }
    }
}

/// How much of a recording in several files stays: what is oldest goes first, the file being written never.
public enum Retention: Sendable, Hashable {
    /// So many bytes in all, the file being written with them.
    case bytes(Int)
    /// What is younger than a time.
    case age(Duration)

    /// A file of a recording.
    struct File: Equatable {
        var path: String
        var bytes: Int
        /// When it was written last, in seconds since 1970.
        var time: Int
    }

    /// The files to delete, oldest first.
    ///
    /// - Parameters:
    ///   - files: Those of the recording, in any order.
    ///   - current: The paths being written, which stay.
    ///   - now: Seconds since 1970.
    ///   - reserve: Bytes that are written before the next look; nil for another file.
    /// - Returns: Those that go.
    func surplus(of files: [File], keeping current: Set<String>, now: Int, reserve: Int?) -> [File] {
        let old = files.filter { !current.contains($0.path) }.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
        switch self {
        case .age(let age):
            return old.filter { now - $0.time > Int(age.components.seconds) }
        case .bytes(let limit):
            // A file that is written becomes as large as the newest that is complete.
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

    /// Deletes what is too much or too old of a recording.
    ///
    /// - Parameters:
    ///   - names: Of its files; nothing else is touched.
    ///   - current: The paths being written.
    ///   - reserve: Bytes that are written before the next look; nil for another file.
    func apply(to names: FileNames, keeping current: Set<String>, reserve: Int?) {
        let files = Self.files(names)
        for file in surplus(of: files, keeping: current, now: Int(time(nil)), reserve: reserve) {
            // One that is gone already, or cannot be deleted, is tried again the next time.
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
            // Seconds come first. In which C module the compiler finds `tv_sec` depends on what other files import.
            let seconds = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe $0.load(as: time_t.self) }
            files.append(File(path: path, bytes: Int(status.st_size), time: seconds))
        }
        return files
    }
}
#endif
