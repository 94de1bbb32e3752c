#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipSinks
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Recordings of clips", .timeLimit(.minutes(3)))
struct ClipFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A recording of clips beside a recording of everything, in virtual time.
    private struct Recorded {
        /// The times of all frames of the session, in seconds of the virtual clock.
        var times: [Double] = []
        /// The times of the moments.
        var marks: [Double] = []
        var events: [String] = []
        var clips: OutputStatistics
    }

    /// Records for some seconds, and marks moments at whole and half seconds after the first frame.
    private func record(
        _ name: String, _ window: ClipWindow, for length: Int, marks: [(second: Double, name: String)]
    ) async throws -> Recorded {
        let (all, pattern) = (folder.path("all.mp4"), folder.path(name))
        return try await VirtualTime.run { clock, _ in
            let mixer = AudioMixer()
            mixer.add(FakeMicrophone(clock: clock))
            let times = Monitor<[Timestamp]>([])
            let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
            let clips = picture --> MovieFile(pattern, sound: [mixer], clips: window)
            let movie = picture --> MovieFile(all, sound: [mixer])
            picture --> CustomSink("clock") { FrameClock(times) }
            var options = SessionOptions()
            options.time = clock
            options.queueCapacity = 120
            options.pressure.policy = .off
            let session = try await Session(picture, options: options)
            var recorded = Recorded(clips: OutputStatistics(name: ""))
            async let events = session.events.reduce(into: [String]()) { $0.append($1.description) }
            async let run: Void = session.run(for: .seconds(length))
            var passed = 0.0
            for (second, name) in marks {
                try await clock.sleep(for: .seconds(second - passed))
                passed = second
                recorded.marks.append(Double(clock.now.nanoseconds) / 1e9)
                #expect(session.mark(name, reason: "0.6 g") == 1)
            }
            try await run
            recorded.events = await events
            recorded.times = times.read { $0.map { Double($0.nanoseconds) / 1e9 } }
            recorded.clips = clips.statistics
            #expect(movie.statistics.drops.total == 0 && movie.statistics.written == recorded.times.count)
            return recorded
        }
    }

    /// The checksums of a file's decoded pictures.
    private func pictures(_ name: String) throws -> [Substring] {
        try runProgram([
            "ffmpeg", "-v", "error", "-i", folder.path(name), "-map", "0:v", "-fps_mode", "passthrough", "-f",
            "framemd5", "-",
        ]).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }

    @Test(
        "a clip has the pictures and the sound around its moments, and both names",
        arguments: ["clip-%03d.mp4", "clip-%03d.mov", "clip-%03d.mkv"])
    func clips(_ pattern: String) async throws {
        let window = ClipWindow(before: .seconds(5), after: .seconds(3))
        let recorded = try await record(
            pattern, window, for: 26, marks: [(8.5, "brake"), (10.3, "bump"), (20.2, "door")])
        let all = try pictures("all.mp4")
        let ending = pattern.suffix(4)
        for (file, first, last, names) in [
            ("clip-001\(ending)", 0, 1, ["brake", "bump"]), ("clip-002\(ending)", 2, 2, ["door"]),
        ] {
            let shown = try pictures(file)
            let picture = try #require(shown.first)
            let index = try #require(all.firstIndex(of: picture))
            #expect(Array(shown) == Array(all[index..<min(all.count, index + shown.count)]), "\(file)")
            let (begin, end) = (
                recorded.times[index], recorded.times[min(index + shown.count, recorded.times.count) - 1]
            )
            let early = recorded.marks[first] - 5 - begin
            // Matroska has no edit lists, so that a clip begins with the key frame before.
            #expect(early > -0.034 && early < (ending == ".mkv" ? 2.1 : 0.034), "\(file): \(early)")
            #expect(abs(end + 1 / 30 - recorded.marks[last] - 3) < 0.07, "\(file)")
            let heard = try HeardFile(folder.path(file))
            let beeps = heard.beeps.filter { $0 > 0.2 }.map { $0 + begin }
            #expect(beeps.count >= 7, "\(file): \(beeps)")
            #expect(beeps.allSatisfy { abs($0 - $0.rounded()) < 0.003 }, "\(file): \(beeps)")
            let comment = zip(names, recorded.marks[first...]).map { name, mark in
                RecordedMoment("\(name) (0.6 g)", at: .seconds(mark - begin)).comment
            }.joined(separator: "; ")
            let tags = try Probe.fields(["-show_entries", "format_tags"], of: folder.path(file))
            #expect(tags.contains { $0.key.lowercased().hasPrefix("comment") && $0.value == comment }, "\(tags)")
            #expect(recorded.events.contains { $0.hasPrefix("\(folder.path(file)): the clip of") })
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("clip-003\(ending)")))
        #expect(recorded.events.contains("brake (0.6 g): marked"))
        #expect(recorded.clips.error == nil && recorded.clips.drops.total == 0)
    }

    @Test("a clip that is shorter than the pictures before it begins with its key frame: GStreamer and FFmpeg show all")
    func short() async throws {
        let window = ClipWindow(before: .milliseconds(300), after: .milliseconds(200))
        let recorded = try await record("clip-%03d.mp4", window, for: 6, marks: [(3.5, "brake")])
        let (all, shown) = (try pictures("all.mp4"), try pictures("clip-001.mp4"))
        let first = try #require(shown.first)
        let index = try #require(all.firstIndex(of: first))
        let begin = recorded.times[index]
        #expect(recorded.marks[0] - begin > 0.6 && recorded.marks[0] - begin < 2.4, "\(begin)")
        let facts = try MovieFacts(ofFile: folder.path("clip-001.mp4"))
        let moment = RecordedMoment("brake (0.6 g)", at: .seconds(recorded.marks[0] - begin))
        #expect(facts.moments.map(\.comment) == [moment.comment])
        // `checksumsink` prints a line for each picture.
        let read = try runProgram([
            "gst-launch-1.0", "-q", "filesrc", "location=\(folder.path("clip-001.mp4"))", "!", "qtdemux", "name=d",
            "d.video_0", "!",
            "checksumsink",
        ])
        #expect(read.split(separator: "\n").count == shown.count)
    }

    @Test("a session without recordings of clips says that nothing keeps a moment")
    func nothing() async throws {
        let picture = PatternSource(.bars, size: PixelSize(64, 48))
        picture --> MovieFile(folder.path("a.mp4"))
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        #expect(session.mark("brake") == 0)
        try await session.run(frames: 3)
        let events = await session.events.reduce(into: [String]()) { $0.append($1.description) }
        #expect(events.contains("brake: marked, but no running output records clips"))
    }

    @Test("a recording of clips writes no file without a moment, and cannot be split")
    func noMoment() async throws {
        let picture = PatternSource(.bars, size: PixelSize(64, 48))
        let output =
            picture
            --> MovieFile(
                folder.path("a-%03d.mp4"), clips: ClipWindow(before: .seconds(1), after: .seconds(1)))
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        #expect(throws: SessionError.self) { try output.split() }
        try await session.run(frames: 90)
        #expect(output.statistics.written == 0 && output.statistics.drops.total == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    /// The times from a second before a moment to half a second after it.
    private static func around(_ moment: Timestamp, _ times: [Timestamp]) -> [Timestamp] {
        times.filter { $0 >= moment.advanced(by: .seconds(-1)) && $0 < moment.advanced(by: .milliseconds(500)) }
    }

    @Test("a camera's own pictures are kept as they came, beside the composed clip")
    func camera() async throws {
        let rig = try RecordingRig()
        let window = ClipWindow(before: .seconds(1), after: .milliseconds(500))
        let output = rig.camera --> CameraFile(rig.folder.path("road-%03d.mp4"), clips: window)
        var delivered: [Timestamp] = []
        let pictures = RecordingRig.pictures(8)
        func frames(_ count: Int) -> [FakeFrame] { (0..<count).map { .compressed(pictures[$0 % 8]) } }
        // The camera delivers at once what the output's queue, of 120 packets, holds while its thread does not run.
        _ = try await rig.run { session in
            delivered = rig.deliver(frames(70))
            session.mark("door", at: delivered[69])
            delivered += rig.deliver(frames(30))
            #expect(await becomes { output.statistics.written >= Self.around(delivered[69], delivered).count })
        }
        let packets = try Probe.packets("pts_time", of: rig.folder.path("road-001.mp4")).compactMap {
            $0.first.flatMap { Double($0) }
        }
        let wanted = Self.around(delivered[69], delivered)
        #expect(packets.count == wanted.count)
        let times = wanted.map { wanted[0].duration(to: $0).inSeconds }
        #expect(zip(packets, times).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test("lengths without sense, and clips in parts, are refused before a file is created")
    func refusals() async throws {
        for sink in [
            MovieFile(folder.path("a.mp4"), clips: ClipWindow(before: .zero, after: .zero)),
            MovieFile(
                folder.path("a.mp4"), segments: .duration(.seconds(5)),
                clips: ClipWindow(before: .seconds(1), after: .seconds(1))),
        ] {
            let picture = PatternSource(.bars, size: PixelSize(64, 48))
            picture --> sink
            await #expect(throws: SessionError.self) { try await Session(picture).run(frames: 2) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }
}
#endif
