#if Media
import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipMedia
@testable import PipRecordings

@Suite("A hundred thousand recordings")
struct ManyRecordingsTests {
    private let folder: TemporaryFolder
    /// The beginning of the first recording.
    private static let midnight = 1_790_000_000 / 86_400 * 86_400
    private static let count = 100_000

    init() throws { folder = try TemporaryFolder() }

    private static func name(_ index: Int) -> String {
        (index % 50 == 3 ? "locked/" : "") + "drive-20261129-\(index).mp4"
    }

    /// Puts a hundred thousand recordings of a minute each into the folder's table.
    private func fill(_ stamp: (Int) -> RecordingTable.Stamp = { _ in .init(bytes: 10, changed: 0) }) throws {
        var table = try RecordingTable(folder: folder.url.path)
        try table.transaction { (table) throws(DatabaseError) in
            for index in 0..<Self.count {
                let moments = index % 100 == 7 ? [RecordedMoment("brake (0.6 g)", at: .seconds(15))] : []
                let recording = Recording(
                    name: Self.name(index), start: WallTime(sinceEpoch: .seconds(Self.midnight + 60 * index)),
                    duration: .seconds(60), bytes: 10, cameras: ["Front"], moments: moments, state: .complete)
                try table.put(RecordingTable.Row(recording: recording, stamp: stamp(index), isSettled: true))
            }
        }
    }

    /// The second day of the recordings.
    private var day: RecordingQuery {
        var query = RecordingQuery()
        query.from = WallTime(sinceEpoch: .seconds(Self.midnight + 86_400))
        query.to = WallTime(sinceEpoch: .seconds(Self.midnight + 2 * 86_400))
        query.limit = 5000
        return query
    }

    @Test("days, pages and moments are found in a table of a hundred thousand recordings")
    func find() throws {
        try fill()
        let table = try RecordingTable(folder: folder.url.path)
        let (first, last) = (
            WallTime(sinceEpoch: .seconds(Self.midnight)), WallTime(sinceEpoch: .seconds(Self.midnight + 6_000_000))
        )
        let days = try table.days(from: first, to: last)
        #expect((70...71).contains(days.count) && days.map(\.count).reduce(0, +) == 100_000)
        #expect(days.map(\.clips).reduce(0, +) == 1000 && days.map(\.bytes).reduce(0, +) == 1_000_000)
        var query = day
        #expect(try table.recordings(query, at: .now).map(\.name).count == 1440)
        query.text = "brake"
        #expect(try table.recordings(query, at: .now).count == 14 || table.recordings(query, at: .now).count == 15)
        query.isLocked = true
        #expect(try table.recordings(query, at: .now).isEmpty)
        query.text = nil
        let locked = try table.recordings(query, at: .now)
        #expect((28...29).contains(locked.count) && locked.allSatisfy(\.isLocked))
        var (key, batches) = (Int64.min, 0)
        while let last = try table.entries(after: key, onlyUnsettled: false).last {
            #expect(last.key > key)
            (key, batches) = (last.key, batches + 1)
        }
        #expect(batches == 100)
        #expect(try table.entries(after: .min, onlyUnsettled: true).isEmpty)
    }

    @Test("a folder of a hundred thousand recordings is opened, compared with its table, and followed")
    func follow() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("locked"), withIntermediateDirectories: false)
        for index in 0..<Self.count { try folder.write([], to: Self.name(index)) }
        let scan = FolderScan(folder: folder.url.path)
        try fill { scan.stamp(Self.name($0)) ?? .init(bytes: -1, changed: 0) }
        let figures = Figures()
        let recordings = try Recordings(folder.url.path)
        for path in [folder.url.path, folder.path("locked")] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
        }
        #expect(try recordings.list(day).count == 1440)
        figures.note("opened, with the page of a day")
        #expect(try recordings.list(day).count == 1440)
        figures.note("the page of a day again")
        #expect(try recordings.days(from: WallTime(sinceEpoch: .zero), to: .now - .seconds(-1e9)).count >= 70)
        figures.note("all days")
        try recordings.refresh(isThorough: true)
        figures.note("compared with every file")
        try recordings.refresh()
        figures.note("looked at without a change")
        try FileManager.default.removeItem(atPath: folder.path(Self.name(0)))
        try folder.write([1], to: "new.mp4")
        try recordings.refresh()
        figures.note("a file more, and one fewer")
        var text = RecordingQuery()
        text.text = "new"
        #expect(try recordings.list(text).map(\.name) == ["new.mp4"])
        #expect(throws: (any Error).self) { try recordings.recording(Self.name(0)) }
        print(figures.lines.joined(separator: "\n"))
    }
}

/// The times and the memory of the steps of a test, which are printed and not judged.
private final class Figures {
    private(set) var lines: [String] = []
    private var time = ContinuousClock.now
    private var work = ProcessorTime.used
    private let memory = Figures.resident

    func note(_ step: String) {
        let milliseconds = [time.duration(to: .now), ProcessorTime.used - work].map { Int($0.inSeconds * 1000) }
        lines.append(
            "100,000 recordings: \(step): \(milliseconds[0]) ms, \(milliseconds[1]) ms of the processor, "
                + "\((Self.resident - memory) / 1000) MB more")
        (time, work) = (.now, ProcessorTime.used)
    }

    /// The process's resident memory in kB.
    private static var resident: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
#endif
