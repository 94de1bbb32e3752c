#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipSinks
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Locked clips that fill their quota, in virtual time", .timeLimit(.minutes(2)))
struct ClipLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ prefix: String) throws -> Int {
        try folder.names.filter { $0.hasPrefix(prefix) }.reduce(0) { try $0 + folder.read($1).count }
    }

    /// A finished run, with the outputs of clips and of everything.
    private struct Recorded {
        let events: [String]
        let clips: OutputStatistics
        let drive: OutputStatistics
        let frames: Int
    }

    /// Records 80 seconds in parts, and ten clips that are locked up to a megabyte.
    private func record() async throws -> Recorded {
        let window = ClipWindow(before: .seconds(2), after: .seconds(1), locked: 1_000_000)
        let encoding = VideoEncoding(.h264, rate: .bits(400_000))
        let (clip, part) = (folder.path("clip-%03d.mp4"), folder.path("drive-%03d.mp4"))
        return try await VirtualTime.run { clock, _ in
            let picture = PatternSource(.scene, size: PixelSize(320, 180))
            let clips = picture --> MovieFile(clip, encoding: encoding, clips: window, keep: .bytes(400_000))
            let drive =
                picture
                --> MovieFile(part, encoding: encoding, segments: .duration(.seconds(4)), keep: .bytes(600_000))
            var options = SessionOptions()
            options.time = clock
            options.pressure.policy = .off
            let session = try await Session(picture, options: options)
            async let events = session.events.reduce(into: [String]()) { $0.append($1.description) }
            async let run: Void = session.run(for: .seconds(80))
            for number in 1...10 {
                try await clock.sleep(for: .seconds(7))
                session.mark("door \(number)")
            }
            try await run
            return Recorded(
                events: await events, clips: clips.statistics, drive: drive.statistics,
                frames: session.statistics.output.frames)
        }
    }

    @Test("row 82: nothing locked is lost, each later clip is told, and recordings go on within their own quotas")
    func full() async throws {
        let old = [UInt8](repeating: 7, count: 995_000)
        try FileManager.default.createDirectory(atPath: folder.path("locked"), withIntermediateDirectories: true)
        try folder.write(old, to: "locked/old.mp4")
        let recorded = try await record()
        // The first clip fits, and uses up the rest of the quota.
        let locked = try FileManager.default.contentsOfDirectory(atPath: folder.path("locked")).sorted()
        #expect(locked == ["clip-001.mp4", "old.mp4"])
        #expect(try folder.read("locked/old.mp4") == old)
        #expect(try Probe(folder.path("locked/clip-001.mp4")).frames >= 89)
        let reason = "is not locked: locked recordings have 1 MB, of 1 MB; unlock or delete some of them"
        #expect(recorded.events.count { $0.contains(reason) } == 9, "\(recorded.events)")
        let (clips, drive) = (recorded.clips, recorded.drive)
        #expect(clips.error == nil && drive.error == nil && clips.drops.total == 0 && drive.drops.total == 0)
        #expect(drive.written == recorded.frames)
        // Unlocked files stay within their own quota, and the newest one is there and whole.
        let (kept, driven) = (try bytes("clip-"), try bytes("drive-"))
        #expect(kept <= 400_000 && driven <= 600_000, "\(kept) \(driven)")
        #expect(folder.has("clip-010.mp4") && !folder.has("clip-002.mp4"))
        #expect(folder.has("drive-020.mp4") && !folder.has("drive-001.mp4"))
        for name in try folder.names where name.hasSuffix(".mp4") { #expect(try Probe(folder.path(name)).frames > 0) }
        let figures = "9 clips told, nothing locked lost, \(drive.written) of \(recorded.frames) frames recorded beside"
        FaultReport.record(row: 82, figures: "quota of 1 MB: \(figures)", on: .fake)
    }
}

extension TemporaryFolder {
    /// True if a file is there.
    fileprivate func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}
#endif
