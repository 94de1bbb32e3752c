#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipMedia
internal import PipSinks
internal import PipSources

/// The movie files in a folder of recordings, as they lie there now.
struct FolderScan {
    /// The path of the folder.
    let folder: String

    /// Calls a function with the name of each movie file within the folder, in any order.
    func forEachName(_ body: (String) -> Void) {
        for place in ["", LockedFiles.folderName + "/"] {
            Folder.forEachEntry(of: "\(folder)/\(place)") { if MovieFacts.isMovie($0) { body(place + $0) } }
        }
    }

    /// The times of the last change of the folder's list and of the locked files' list, in nanoseconds since 1970.
    var listsChanged: [Int64] {
        [folder, "\(folder)/\(LockedFiles.folderName)"].map { path in
            var status = stat()
            return unsafe stat(path, &status) == 0 ? Self.nanoseconds(status.st_mtim) : 0
        }
    }

    /// The properties of a file by which a change is seen; nil when there is no regular file of the name.
    func stamp(_ name: String) -> RecordingTable.Stamp? {
        var status = stat()
        guard unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return RecordingTable.Stamp(bytes: Int(status.st_size), changed: Self.nanoseconds(status.st_mtim))
    }

    /// Reads a file's facts.
    ///
    /// A file that is not readable as a movie counts as damaged, also when it has no picture yet.
    func recording(_ name: String, _ stamp: RecordingTable.Stamp) -> Recording {
        let changed = WallTime(sinceEpoch: .nanoseconds(stamp.changed))
        guard let facts = try? MovieFacts(ofFile: "\(folder)/\(name)") else {
            return Recording(
                name: name, start: changed, duration: .zero, bytes: stamp.bytes, cameras: [], moments: [],
                state: .damaged)
        }
        // A file that is being written, and a transport stream, do not state their duration or their beginning.
        let age = facts.start.map { max(.zero, changed.sinceEpoch - $0.sinceEpoch) }
        let duration = (facts.isUnfinished ? nil : facts.duration) ?? age ?? facts.duration ?? .zero
        return Recording(
            name: name, start: facts.start ?? changed - duration, duration: duration, bytes: stamp.bytes,
            cameras: facts.cameras, moments: facts.moments,
            state: facts.isUnfinished ? .recording : .complete)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
#endif
