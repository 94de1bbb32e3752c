#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipSinks
import PipSources
import PipTestSupport
import Testing

@testable import PipMedia
@testable import PipRecordings

@Suite("Recordings in a folder", .timeLimit(.minutes(3)))
struct RecordingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records a clip around a moment two seconds after the beginning.
    private func recordClip(_ name: String) async throws {
        let path = folder.path(name)
        try await VirtualTime.run { clock, _ in
            let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
            picture --> MovieFile(path, clips: ClipWindow(before: .seconds(1), after: .seconds(1)))
            var options = SessionOptions()
            options.time = clock
            let session = try await Session(picture, options: options)
            async let running: Void = session.run(for: .seconds(4))
            try await clock.sleep(for: .milliseconds(2100))
            session.mark("brake", reason: "0.6 g")
            try await running
        }
    }

    /// Lists a folder anew.
    private func listed(_ change: (inout RecordingQuery) -> Void = { _ in }) throws -> [Recording] {
        let recordings = try Recordings(folder.url.path)
        try recordings.refresh(isThorough: true)
        var query = RecordingQuery()
        change(&query)
        return try recordings.list(query)
    }

    @Test("recordings are listed with their times, sizes and moments, the newest first, also after the table was lost")
    func list() async throws {
        let began = WallTime.now
        try await folder.record()
        try await recordClip("clip-%05d.mkv")
        try folder.write([1, 2, 3], to: "notes.txt")
        let all = try listed()
        #expect(Set(all.map(\.name)) == ["drive-00001.mp4", "drive-00002.mp4", "drive-00003.mp4", "clip-00001.mkv"])
        #expect(all.map(\.start.sinceEpoch) == all.map(\.start.sinceEpoch).sorted(by: >))
        for recording in all {
            #expect(recording.state == .complete && !recording.isLocked)
            #expect(try recording.bytes == folder.read(recording.name).count)
            // A session in virtual time takes its dates from the machine's clock, too.
            #expect(recording.start.sinceEpoch > began.sinceEpoch - .seconds(60))
        }
        let parts = all.filter { $0.name.hasSuffix("mp4") }
        #expect(parts.allSatisfy { abs($0.duration.inSeconds - 1) < 0.04 }, "\(parts.map(\.duration))")
        let clip = try #require(all.first { $0.name.hasSuffix("mkv") })
        #expect(clip.moments.map(\.text) == ["brake (0.6 g)"])
        #expect((0...2).contains(clip.moments.first?.offset.components.seconds ?? 9))
        try FileManager.default.removeItem(atPath: folder.path(".recordings-2.sqlite"))
        #expect(try listed() == all)
        #expect(try listed { $0.text = "BRAKE" }.map(\.name) == [clip.name])
        #expect(try listed { $0.hasMoments = true }.map(\.name) == [clip.name])
        #expect(
            try listed {
                $0.from = clip.end; $0.to = clip.start
            }.isEmpty)
        #expect(try listed { ($0.limit, $0.offset) = (2, 1) } == Array(all[1...2]))
    }

    @Test("a damaged table is made again, and files that are moved, changed or deleted by hand are seen")
    func changes() async throws {
        try await folder.record()
        let recordings = try Recordings(folder.url.path)
        try recordings.refresh()
        #expect(try recordings.list().count == 3)
        try FileManager.default.moveItem(atPath: folder.path("drive-00001.mp4"), toPath: folder.path("holiday.mp4"))
        try FileManager.default.removeItem(atPath: folder.path("drive-00002.mp4"))
        try recordings.refresh()
        #expect(try Set(recordings.list().map(\.name)) == ["holiday.mp4", "drive-00003.mp4"])
        // A file cut off by a crash of the disk.
        let bytes = try folder.read("holiday.mp4")
        try folder.write(Array(bytes.prefix(40)), to: "holiday.mp4")
        try recordings.refresh(isThorough: true)
        #expect(try recordings.list { $0.text = "holiday" }.map(\.bytes) == [40])
        for ending in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.path(".recordings-2.sqlite\(ending)"))
        }
        try folder.write([UInt8](repeating: 7, count: 8192), to: ".recordings-2.sqlite")
        #expect(try Set(listed().map(\.name)) == ["holiday.mp4", "drive-00003.mp4"])
    }

    @Test("a locked recording lies where no retention deletes it, and is not deleted before it is unlocked")
    func lock() async throws {
        try await folder.record()
        let recordings = try Recordings(folder.url.path)
        try recordings.refresh()
        let locked = try recordings.lock("drive-00002.mp4")
        #expect(locked.name == "locked/drive-00002.mp4" && locked.isLocked)
        #expect(FileManager.default.fileExists(atPath: folder.path("locked/drive-00002.mp4")))
        #expect(try recordings.list { $0.isLocked = true }.map(\.name) == [locked.name])
        #expect(try recordings.lock(locked.name) == locked)
        let error = #expect(throws: SourceError.self) { try recordings.delete(locked.name) }
        #expect(error?.kind == .notPermitted && error?.reason == "it is locked; unlock it first")
        // What retention would do.
        Retention.bytes(1).apply(to: try FileNames(folder.path("drive-%05d.mp4")), keeping: [], reserve: 0)
        try recordings.refresh(isThorough: true)
        #expect(try recordings.list().map(\.name) == [locked.name])
        try folder.write([1], to: "drive-00002.mp4")
        let taken = #expect(throws: SourceError.self) { try recordings.unlock(locked.name) }
        #expect(taken?.reason.contains("exists already") == true)
        try FileManager.default.removeItem(atPath: folder.path("drive-00002.mp4"))
        #expect(try recordings.unlock(locked.name).name == "drive-00002.mp4")
        try recordings.delete("drive-00002.mp4")
        #expect(try recordings.list().isEmpty)
        for name in ["drive-00002.mp4", "../x.mp4", "/etc/passwd", ""] {
            let error = #expect(throws: SourceError.self) { try recordings.delete(name) }
            #expect(error?.kind == .notFound, "\(name)")
        }
    }

    @Test("a file that another process has seen leave is seen again when it is back")
    func processes() async throws {
        try await folder.record(seconds: 2)
        let (one, other) = (try Recordings(folder.url.path), try Recordings(folder.url.path))
        try one.refresh()
        let (name, away) = ("drive-00001.mp4", try TemporaryFolder())
        try FileManager.default.moveItem(atPath: folder.path(name), toPath: away.path(name))
        try other.refresh()
        #expect(try one.list().map(\.name) == ["drive-00002.mp4"])
        try FileManager.default.moveItem(atPath: away.path(name), toPath: folder.path(name))
        try one.refresh()
        #expect(try other.list().count == 2)
    }

    @Test("a file without a picture counts as being written at first, and as damaged later")
    func unreadable() throws {
        try folder.write([UInt8](repeating: 3, count: 500), to: "new.mp4")
        #expect(try listed().map(\.state) == [.recording])
        var table = try RecordingTable(folder: folder.url.path)
        let entry = try #require(try table.entries(after: .min, onlyUnsettled: true).first)
        #expect(entry.name == "new.mp4" && entry.key == RecordingTable.key(of: "new.mp4"))
        #expect(try table.recording(entry.name, at: .now - .seconds(-11))?.state == .damaged)
        try table.remove([entry.key])
        for (number, state) in [Recording.State.recording, .complete].enumerated() {
            let changed = WallTime(sinceEpoch: .seconds(1_790_000_000))
            let recording = Recording(
                name: "\(number).mp4", start: changed, duration: .seconds(1), bytes: 1, cameras: ["a, b", "c"],
                moments: [],
                state: state)
            let stamp = RecordingTable.Stamp(bytes: 1, changed: 1_790_000_000_000_000_000)
            try table.put(.init(recording: recording, stamp: stamp, isSettled: state == .complete))
            let read = try table.recording(recording.name, at: WallTime(sinceEpoch: .seconds(1_790_000_011)))
            #expect(read?.state == (state == .complete ? .complete : .interrupted) && read?.cameras == ["a, b", "c"])
        }
        #expect(try table.entries(after: .min, onlyUnsettled: true).map(\.name) == ["0.mp4"])
        let all = try table.entries(after: .min, onlyUnsettled: false)
        #expect(Set(all.map(\.name)) == ["0.mp4", "1.mp4"] && all[0].key < all[1].key)
        #expect(try table.entries(after: all[0].key, onlyUnsettled: false).map(\.name) == [all[1].name])
    }

    @Test("a file in its first fragment is not complete, and a complete file is looked at until it is settled")
    func fragments() async throws {
        func box(_ kind: String, _ content: [UInt8] = []) -> [UInt8] {
            [0, 0, 0, UInt8(8 + content.count)] + Array(kind.utf8) + content
        }
        let cases: [(moov: [UInt8], more: [UInt8], isUnfinished: Bool)] = [
            (box("mvex"), [], true), ([], box("moof"), true), ([], [], false),
        ]
        for (moov, more, isUnfinished) in cases {
            try folder.write(box("ftyp") + box("moov", moov) + box("mdat") + more, to: "a.mp4")
            #expect(try MovieFileCheck.findings(of: folder.path("a.mp4")).isUnfinished == isUnfinished)
        }
        try FileManager.default.removeItem(atPath: folder.path("a.mp4"))
        try await folder.record(seconds: 1)
        let recordings = try Recordings(folder.url.path)
        try recordings.refresh()
        // A change just after the file was read, such as that of its header at the end of a recording.
        let bytes = try folder.read("drive-00001.mp4")
        try folder.write(bytes + [0, 0, 0, 8] + Array("free".utf8), to: "drive-00001.mp4")
        try recordings.refresh()
        #expect(try recordings.list().map(\.bytes) == [bytes.count + 8])
        let table = try RecordingTable(folder: folder.url.path)
        #expect(try table.entries(after: .min, onlyUnsettled: true).count == 1)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: folder.path("drive-00001.mp4"))
        try recordings.refresh()
        #expect(try table.entries(after: .min, onlyUnsettled: true).isEmpty)
    }

    @Test("clips are locked up to a size, and later clips stay unlocked with a warning")
    func lockedClips() throws {
        let warnings = Monitor<[String]>([])
        let lock = ClipLock(try FileNames(folder.path("clip-%03d.mp4")), most: 1000) { event in
            warnings.update { $0.append("\(event)") }
        }
        for name in ["a.mp4", "b.mp4", "c.mp4"] { try folder.write([UInt8](repeating: 0, count: 600), to: name) }
        #expect(lock.lock(folder.path("a.mp4")) == folder.path("locked/a.mp4"))
        #expect(lock.lock(folder.path("b.mp4")) == folder.path("locked/b.mp4"))
        #expect(warnings.read { $0 }.isEmpty)
        #expect(lock.lock(folder.path("c.mp4")) == folder.path("c.mp4"))
        #expect(warnings.read { $0.count } == 1 && warnings.read { $0[0].contains("c.mp4 is not locked") })
        #expect(try folder.names == ["c.mp4", "locked"])
        // Other files in the folder take no room.
        try FileManager.default.removeItem(atPath: folder.path("locked/b.mp4"))
        for name in ["locked/notes.txt", "locked/.export-1.mp4"] {
            try folder.write([UInt8](repeating: 0, count: 5000), to: name)
        }
        #expect(lock.lock(folder.path("c.mp4")) == folder.path("locked/c.mp4"))
    }

    @Test("a folder that is missing is refused, and one that cannot be written to is listed")
    func folders() async throws {
        let error = #expect(throws: SourceError.self) { try Recordings(folder.path("none")) }
        #expect(error?.kind == .notFound)
        try await folder.record(seconds: 1)
        // A folder in the table's place keeps the table from being created, also for an administrator.
        try FileManager.default.createDirectory(
            atPath: folder.path(".recordings-2.sqlite"), withIntermediateDirectories: false)
        try folder.write([1], to: ".recordings-2.sqlite/x")
        #expect(try listed().map(\.name) == ["drive-00001.mp4"])
    }
}
#endif
