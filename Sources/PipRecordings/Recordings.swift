#if Media
internal import Glibc
package import PipConcurrency
internal import PipFrames
internal import PipSinks
package import PipSources
internal import Synchronization
internal import SystemPackage

/// The recordings in a folder, found again by their time, cameras and moments.
///
/// The movie files are what counts. Each states its time, its cameras and its moments, and a locked recording lies in
/// the folder `locked`, in which no retention deletes files. A table in the folder only repeats this, so that answers
/// are quick; ``refresh(isThorough:until:)`` compares the table with the files.
///
/// Thread: any. Several processes may use the same folder.
package final class Recordings: Sendable {
    private struct State {
        var table: RecordingTable
        /// The listing that the table agrees with; nil before the first one.
        var listing: Listing?
        /// True when a damaged table was made again during a refresh.
        var isEmptied = false
    }

    /// The files in the folder when they were last compared with the table.
    private struct Listing {
        /// The times of the last change of the folder's lists; empty when another change may have the same time.
        let changed: [Int64]
        /// The keys of the files' names.
        let keys: Set<Int64>
        /// The version of the table, which other processes change.
        let version: Int64
    }

    /// The path of the folder.
    package let folder: String
    private let scan: FolderScan
    private let state: Mutex<State>

    /// Opens the recordings in a folder, as the table has them.
    ///
    /// - Parameter folder: The path of the folder.
    /// - Throws: ``PipSources/SourceError`` when there is no such folder, or when the folder cannot be read.
    package init(_ folder: String) throws(SourceError) {
        self.folder = folder
        guard Folder.readableEntries(of: folder) != nil else {
            throw SourceError(folder, "list the recordings", Errno(rawValue: errno))
        }
        scan = FolderScan(folder: folder)
        do throws(DatabaseError) { state = Mutex(State(table: try RecordingTable(folder: folder))) } catch {
            throw SourceError(folder, "list the recordings", .failed, error.message)
        }
    }

    // MARK: What lies in the folder

    /// Brings the table up to date with the files.
    ///
    /// Blocks until new and changed files are read: some milliseconds for each. One call at a time.
    ///
    /// The first call after a boot looks at every file in any case.
    ///
    /// - Parameters:
    ///   - isThorough: True to look at every file. False to look at new files, and at those that may have changed.
    ///   - interruption: Ends the work early; nil works to the end.
    /// - Throws: ``PipSources/SourceError`` when the table can be neither read nor made again.
    package func refresh(isThorough: Bool = false, until interruption: Interruption? = nil) throws(SourceError) {
        let changed = scan.listsChanged
        let (version, isOfEarlierBoot) = try read { (table) throws(DatabaseError) in
            (try table.version, table.isOfEarlierBoot)
        }
        let isThorough = isThorough || isOfEarlierBoot
        let before = state.withLock { state in
            state.isEmptied = false
            return isThorough || state.listing?.version != version ? nil : state.listing
        }
        let known: Set<Int64>
        if let before { known = before.keys } else { known = try keys() }
        var (present, new, gone) = (known, [String](), [Int64]())
        if before?.changed != changed {
            present = []
            scan.forEachName { name in
                let key = RecordingTable.key(of: name)
                present.insert(key)
                if !known.contains(key) { new.append(name) }
            }
            gone = Array(known.subtracting(present))
        }
        var due: [(name: String, stamp: RecordingTable.Stamp)] = []
        try forEachEntry(onlyUnsettled: !isThorough) { entry in
            guard let stamp = scan.stamp(entry.name) else { return gone.append(entry.key) }
            if stamp != entry.stamp || entry.isComplete && !isThorough && stamp.isSettled(at: .now) {
                due.append((entry.name, stamp))
            }
        }
        remove(gone)
        for name in new { if let stamp = scan.stamp(name) { due.append((name, stamp)) } }
        guard readFiles(due, until: interruption) else { return }
        if isOfEarlierBoot { try? change { (table) throws(DatabaseError) in try table.confirm() } }
        // The time of a change may be coarse, and hide a change just after this reading.
        let isSettled = WallTime.now.sinceEpoch - .nanoseconds(changed.max() ?? 0) > .seconds(3)
        state.withLock { state in
            guard !state.isEmptied else { return }
            state.listing = Listing(changed: isSettled ? changed : [], keys: present, version: version)
        }
    }

    /// The keys of all recordings in the table.
    private func keys() throws(SourceError) -> Set<Int64> {
        var keys: Set<Int64> = []
        var last = Int64.min
        while true {
            let next = try read { (table) throws(DatabaseError) in try table.keys(after: last) }
            guard let end = next.last else { return keys }
            keys.formUnion(next)
            last = end
        }
    }

    /// Calls a function with each entry of the table, or with those of unsettled files only.
    private func forEachEntry(
        onlyUnsettled: Bool, _ body: (RecordingTable.Entry) -> Void
    ) throws(SourceError) {
        var last = Int64.min
        while true {
            let entries = try read { (table) throws(DatabaseError) in
                try table.entries(after: last, onlyUnsettled: onlyUnsettled)
            }
            guard let end = entries.last else { return }
            entries.forEach(body)
            last = end.key
        }
    }

    /// Reads files into the table, the newest first, because users look at the newest first.
    ///
    /// - Returns: True when the table has all of them: the work was not interrupted, and the disk was not full.
    private func readFiles(
        _ files: [(name: String, stamp: RecordingTable.Stamp)], until interruption: Interruption?
    ) -> Bool {
        var isWhole = true
        for (name, stamp) in files.sorted(by: { $0.stamp.changed > $1.stamp.changed }) {
            if interruption?.isRaised == true { return false }
            let isSettled = stamp.isSettled(at: .now)
            let recording = scan.recording(name, stamp)
            let row = RecordingTable.Row(
                recording: recording, stamp: stamp, isSettled: isSettled && recording.state == .complete)
            do { try change { (table) throws(DatabaseError) in try table.put(row) } } catch { isWhole = false }
        }
        return isWhole
    }

    private func remove(_ keys: [Int64]) {
        if !keys.isEmpty { try? change { (table) throws(DatabaseError) in try table.remove(keys) } }
    }

    // MARK: Questions

    /// Returns the recordings of a choice, the newest first.
    package func list(_ query: RecordingQuery = RecordingQuery()) throws(SourceError) -> [Recording] {
        try read { (table) throws(DatabaseError) in try table.recordings(query, at: .now) }
    }

    /// Returns the recording of a name.
    ///
    /// - Throws: ``PipSources/SourceError`` when there is none.
    package func recording(_ name: String) throws(SourceError) -> Recording {
        let found = try read { (table) throws(DatabaseError) in try table.recording(name, at: .now) }
        guard let found else { throw SourceError(path(of: name), "find the recording", .noSuchFileOrDirectory) }
        return found
    }

    /// Returns the days with recordings between two times, the newest first.
    package func days(from: WallTime, to: WallTime) throws(SourceError) -> [RecordingDay] {
        try read { (table) throws(DatabaseError) in try table.days(from: from, to: to) }
    }

    /// Returns the path of a recording's file.
    package func path(of name: String) -> String { "\(folder)/\(name)" }

    // MARK: Changes

    /// Locks a recording: moves its file into the folder `locked`.
    ///
    /// - Returns: The recording with its new name.
    /// - Throws: ``PipSources/SourceError`` when there is no such recording, or when its file cannot be moved.
    @discardableResult
    package func lock(_ name: String) throws(SourceError) -> Recording {
        let found = try recording(name)
        guard !found.isLocked else { return found }
        return try rename(found, to: "\(LockedFiles.folderName)/\(name)", "lock") { () throws(Errno) in
            try LockedFiles(of: folder).lock(name)
        }
    }

    /// Unlocks a recording: moves its file back into the folder of recordings.
    ///
    /// - Returns: The recording with its new name.
    /// - Throws: ``PipSources/SourceError`` when there is no such recording, or when its file cannot be moved.
    @discardableResult
    package func unlock(_ name: String) throws(SourceError) -> Recording {
        let found = try recording(name)
        guard found.isLocked else { return found }
        return try rename(found, to: found.fileName, "unlock") { () throws(Errno) in
            try LockedFiles(of: folder).unlock(found.fileName)
        }
    }

    /// Deletes a recording.
    ///
    /// - Throws: ``PipSources/SourceError`` when there is no such recording, when it is locked or being written, and
    ///   when its file cannot be deleted.
    package func delete(_ name: String) throws(SourceError) {
        let found = try recording(name)
        let path = path(of: name)
        if found.isLocked { throw SourceError(path, "delete", .notPermitted, "it is locked; unlock it first") }
        if found.state == .recording { throw SourceError(path, "delete", .notPermitted, "it is being written") }
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw SourceError(path, "delete", Errno(rawValue: errno))
        }
        remove([RecordingTable.key(of: name)])
    }

    /// Changes the name of a recording: that of its file, and that in the table.
    private func rename(
        _ recording: Recording, to name: String, _ operation: String, _ move: () throws(Errno) -> Void
    ) throws(SourceError) -> Recording {
        let from = path(of: recording.name)
        do throws(Errno) { try move() } catch {
            if error == .fileExists {
                throw SourceError(from, operation, .failed, "\(path(of: name)) exists already; rename one of them")
            }
            throw SourceError(from, operation, error)
        }
        try? change { (table) throws(DatabaseError) in try table.rename(recording.name, to: name) }
        var renamed = recording
        renamed.name = name
        return renamed
    }

    // MARK: The table

    private func read<R>(
        _ body: (inout RecordingTable) throws(DatabaseError) -> R
    ) throws(SourceError) -> R {
        do throws(DatabaseError) { return try change(body) } catch {
            throw SourceError(folder, "list the recordings", .failed, error.message)
        }
    }

    /// Works with the table; makes a damaged table again, which then is empty until the next refresh.
    private func change<R>(_ body: (inout RecordingTable) throws(DatabaseError) -> R) throws(DatabaseError) -> R {
        try state.withLock { (state) throws(DatabaseError) in
            do throws(DatabaseError) { return try body(&state.table) } catch {
                guard error.isDamage else { throw error }
                state.table = try RecordingTable(folder: folder, isDamaged: true)
                (state.listing, state.isEmptied) = (nil, true)
                return try body(&state.table)
            }
        }
    }
}
#endif
