#if Media
internal import CSQLite
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipMedia
internal import PipSinks

/// The table of the recordings in a folder, in an SQLite file in that folder.
///
/// The table only repeats what the movie files state: a file that is lost or damaged is made again.
struct RecordingTable {
    /// The properties of a file by which a change of the file is seen.
    struct Stamp: Hashable {
        var bytes: Int
        /// The time of the last change, in nanoseconds since 1970.
        var changed: Int64

        /// True when the last change is some time ago.
        func isSettled(at now: WallTime) -> Bool { now.sinceEpoch - .nanoseconds(changed) > RecordingTable.writingAge }
    }

    /// The key and the name of a recording, and the properties that its file had when it was read.
    struct Entry {
        var key: Int64
        var name: String
        var stamp: Stamp
        var isComplete: Bool
    }

    /// A row: a recording, and the properties of its file when it was read.
    struct Row {
        var recording: Recording
        var stamp: Stamp
        /// True for a complete file that had not changed for some time: it will not change any more.
        var isSettled: Bool
    }

    /// The name of the file, whose number changes with the columns, so that other versions keep their own file.
    private static let fileName = ".recordings-2.sqlite"
    private static let columns = "key, name, bytes, changed, start, duration, cameras, moments, state, settled"
    /// The largest number of entries that are read at once.
    private static let batch = 1000
    /// The age of the last change from which on an incomplete file counts as interrupted, one without a picture as
    /// damaged, and a complete one as settled.
    static let writingAge = Duration.seconds(10)

    /// A number of this boot, as the table keeps it; 1 where the kernel does not identify its boots.
    private static let bootNumber: Int64 =
        FileContents.text(of: "/proc/sys/kernel/random/boot_id").map { Int64(fnv1a($0.utf8) & 0x7fff_ffff | 1) } ?? 1

    private var database: Database
    /// True for a table of an earlier boot: a power cut may have left other files than it tells.
    private(set) var isOfEarlierBoot: Bool

    /// Opens the table of a folder.
    ///
    /// A damaged file is replaced by an empty one. A folder that cannot be written to gets a table in memory.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recordings.
    ///   - isDamaged: True to replace the file in any case.
    /// - Throws: ``DatabaseError`` when memory is exhausted.
    init(folder: String, isDamaged: Bool = false) throws(DatabaseError) {
        let path = folder + "/" + Self.fileName
        if !isDamaged, let table = try? RecordingTable(path: path) {
            self = table
            return
        }
        for ending in ["", "-wal", "-shm"] { _ = unsafe unlink(path + ending) }
        if let table = try? RecordingTable(path: path) { self = table } else { try self.init(path: ":memory:") }
    }

    private init(path: String) throws(DatabaseError) {
        database = try Database(path)
        for statement in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
            """
            CREATE TABLE IF NOT EXISTS recordings (
                key INTEGER PRIMARY KEY, name TEXT, bytes INTEGER, changed INTEGER, start INTEGER, duration INTEGER,
                cameras TEXT, moments TEXT, state TEXT, settled INTEGER)
            """,
            "CREATE INDEX IF NOT EXISTS recordings_start ON recordings (start)",
            "CREATE INDEX IF NOT EXISTS recordings_duration ON recordings (duration)",
            "CREATE INDEX IF NOT EXISTS recordings_unsettled ON recordings (settled) WHERE settled = 0",
        ] { try database.run(statement) }
        isOfEarlierBoot = try database.rows(of: "PRAGMA user_version") != [[.number(Self.bootNumber)]]
        guard isOfEarlierBoot else { return }
        // SQLite itself finds a damage only when it comes across it, and an index without a row hides a recording.
        let fault = try database.rows(of: "PRAGMA integrity_check(1)").first?.first
        if fault != .text("ok") { throw DatabaseError(code: SQLITE_CORRUPT, message: fault?.text ?? "it is damaged") }
    }

    /// The key of a recording: a hash of its name, by which many names are compared in little memory.
    ///
    /// Among 100,000 names, two have the same key with a probability of less than one in a billion.
    static func key(of name: String) -> Int64 { Int64(bitPattern: fnv1a(name.utf8)) }

    // MARK: Changes

    /// Notes that the table has been compared with all files since the boot.
    mutating func confirm() throws(DatabaseError) {
        try database.run("PRAGMA user_version = \(Self.bootNumber)")
        isOfEarlierBoot = false
    }

    /// Adds or replaces a row.
    mutating func put(_ row: Row) throws(DatabaseError) {
        let recording = row.recording
        let moments = recording.moments.map { "\($0.offset.components.seconds) \($0.text)" }
        try database.run(
            "INSERT OR REPLACE INTO recordings (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                [
                    .number(Self.key(of: recording.name)), .text(recording.name), .number(Int64(row.stamp.bytes)),
                    .number(row.stamp.changed), .number(recording.start.microseconds),
                    .number(recording.duration.nanoseconds / 1000),
                    .text(recording.cameras.joined(separator: "\n")), .text(moments.joined(separator: "\n")),
                    .text(recording.state.rawValue), .number(row.isSettled ? 1 : 0),
                ]
            ])
    }

    /// Deletes rows.
    mutating func remove(_ keys: [Int64]) throws(DatabaseError) {
        try database.run("DELETE FROM recordings WHERE key = ?", keys.map { [.number($0)] })
    }

    /// Changes the name in a row.
    mutating func rename(_ name: String, to other: String) throws(DatabaseError) {
        try database.run(
            "UPDATE OR REPLACE recordings SET key = ?, name = ? WHERE key = ?",
            [[.number(Self.key(of: other)), .text(other), .number(Self.key(of: name))]])
    }

    /// Makes several changes at once.
    mutating func transaction(
        _ body: (inout RecordingTable) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try database.run("BEGIN IMMEDIATE")
        do throws(DatabaseError) { try body(&self) } catch {
            try? database.run("ROLLBACK")
            throw error
        }
        try database.run("COMMIT")
    }

    // MARK: Questions

    /// A number that changes when another process has changed the table.
    var version: Int64 {
        get throws(DatabaseError) { try database.rows(of: "PRAGMA data_version").first?.first?.number ?? 0 }
    }

    /// Returns the next keys in their order, 1000 at most; none at the end of the table.
    ///
    /// The names of 100,000 recordings would take several times as long to read.
    func keys(after key: Int64) throws(DatabaseError) -> [Int64] {
        try database.rows(
            of: "SELECT key FROM recordings WHERE key > ? ORDER BY key LIMIT \(Self.batch)", [.number(key)]
        ).map { $0[0].number }
    }

    /// Returns the next entries in the order of keys, 1000 at most.
    ///
    /// - Parameters:
    ///   - key: The key before the first entry.
    ///   - onlyUnsettled: True for the recordings whose files may have changed; false for all.
    /// - Returns: The entries; none at the end of the table.
    /// - Throws: ``DatabaseError`` when the table cannot be read.
    func entries(after key: Int64, onlyUnsettled: Bool) throws(DatabaseError) -> [Entry] {
        try database.rows(
            of: "SELECT key, name, bytes, changed, state = 'complete' FROM recordings WHERE key > ?"
                + (onlyUnsettled ? " AND settled = 0" : "") + " ORDER BY key LIMIT \(Self.batch)",
            [.number(key)]
        ).map { row in
            Entry(
                key: row[0].number, name: row[1].text, stamp: Stamp(bytes: Int(row[2].number), changed: row[3].number),
                isComplete: row[4].number != 0)
        }
    }

    /// The recordings of a choice, the newest first.
    func recordings(_ query: RecordingQuery, at now: WallTime) throws(DatabaseError) -> [Recording] {
        var conditions = ["1"]
        var values: [Database.Value] = []
        if let from = query.from {
            // The first condition lets SQLite use the index of the beginnings.
            conditions.append("start > ? - (SELECT max(duration) FROM recordings) AND start + duration > ?")
            values += [.number(from.microseconds), .number(from.microseconds)]
        }
        if let to = query.to {
            conditions.append("start < ?")
            values.append(.number(to.microseconds))
        }
        if let isLocked = query.isLocked {
            conditions.append("name \(isLocked ? "" : "NOT ")GLOB '\(LockedFiles.folderName)/*'")
        }
        if query.hasMoments { conditions.append("moments <> ''") }
        if let text = query.text {
            conditions.append("instr(lower(name || char(10) || cameras || char(10) || moments), lower(?)) > 0")
            values.append(.text(text))
        }
        values += [.number(Int64(query.limit)), .number(Int64(query.offset))]
        let rows = try database.rows(
            of: "SELECT \(Self.columns) FROM recordings WHERE \(conditions.joined(separator: " AND ")) "
                + "ORDER BY start DESC, name DESC LIMIT ? OFFSET ?", values)
        return rows.map { Self.recording($0, at: now) }
    }

    /// The recording of a name; nil when there is none.
    func recording(_ name: String, at now: WallTime) throws(DatabaseError) -> Recording? {
        try database.rows(
            of: "SELECT \(Self.columns) FROM recordings WHERE key = ? AND name = ?",
            [.number(Self.key(of: name)), .text(name)]
        ).first.map { Self.recording($0, at: now) }
    }

    /// The days with recordings between two times, the newest first.
    func days(from: WallTime, to: WallTime) throws(DatabaseError) -> [RecordingDay] {
        try database.rows(
            of: """
                SELECT date(start / 1000000, 'unixepoch', 'localtime') AS day, count(*), sum(bytes), sum(moments <> '')
                FROM recordings WHERE start >= ? AND start < ? GROUP BY day ORDER BY day DESC
                """, [.number(from.microseconds), .number(to.microseconds)]
        ).map { row in
            RecordingDay(
                date: row[0].text, count: Int(row[1].number), bytes: Int(row[2].number), clips: Int(row[3].number))
        }
    }

    private static func recording(_ row: [Database.Value], at now: WallTime) -> Recording {
        let moments = row[7].text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return RecordedMoment(String(parts.last ?? ""), at: .seconds(Int64(parts.first ?? "") ?? 0))
        }
        var state = Recording.State(rawValue: row[8].text) ?? .damaged
        let isSettled = Stamp(bytes: 0, changed: row[3].number).isSettled(at: now)
        if state == .recording, isSettled { state = .interrupted }
        if state == .damaged, !isSettled { state = .recording }
        return Recording(
            name: row[1].text, start: WallTime(sinceEpoch: .microseconds(row[4].number)),
            duration: .microseconds(row[5].number), bytes: Int(row[2].number),
            cameras: row[6].text.split(separator: "\n").map(String.init), moments: moments, state: state)
    }
}

extension WallTime {
    /// The microseconds since 1970.
    fileprivate var microseconds: Int64 {
        let parts = sinceEpoch.components
        return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    }
}

extension Database.Value {
    fileprivate var text: String { if case .text(let text) = self { text } else { "" } }

    fileprivate var number: Int64 { if case .number(let number) = self { number } else { 0 } }
}
#endif
