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

@Suite("Tracks of texts", .timeLimit(.minutes(2)))
struct TextTrackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records six seconds of virtual time with texts that tell their times, and marks a moment after four seconds.
    ///
    /// Returns the times of all frames, in milliseconds of the clock.
    private func record(_ recordings: (TextTrack) -> [MovieFile]) async throws -> [Int] {
        let track = TextTrack { time in "time \(time.nanoseconds / 1_000_000) ms" }
        let files = recordings(track)
        return try await VirtualTime.run { clock, _ in
            let times = Monitor<[Timestamp]>([])
            let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
            let outputs = files.map { picture --> $0 }
            picture --> CustomSink("clock") { FrameClock(times) }
            var options = SessionOptions()
            options.time = clock
            options.queueCapacity = 120
            options.pressure.policy = .off
            let session = try await Session(picture, options: options)
            async let run: Void = session.run(for: .seconds(6))
            try await clock.sleep(for: .seconds(4))
            _ = session.mark("brake", reason: nil)
            try await run
            for output in outputs { #expect(output.statistics.error == nil && output.statistics.drops.total == 0) }
            return times.read { $0.map { Int($0.nanoseconds / 1_000_000) } }
        }
    }

    /// The texts that FFmpeg shows: when they begin in the file, and the times that they tell, in milliseconds.
    private func texts(_ name: String, in other: TemporaryFolder? = nil) throws -> [(shown: Int, told: Int)] {
        try runProgram(["ffmpeg", "-v", "error", "-i", (other ?? folder).path(name), "-map", "0:s:0", "-f", "srt", "-"])
            .matches(of: /(\d\d):(\d\d):(\d\d),(\d\d\d) --> [^\n]*\n[^\n]*time (\d+) ms/).map { match in
                let clock = [match.1, match.2, match.3].reduce(0) { $0 * 60 + (Int($1) ?? 0) }
                return (clock * 1000 + (Int(match.4) ?? 0), Int(match.5) ?? 0)
            }
    }

    @Test(
        "each text is shown from its time on, ten times a second, and the pictures are as without",
        arguments: [("mp4", "mov_text"), ("mov", "mov_text"), ("mkv", "subrip")])
    func shown(_ ending: String, _ codec: String) async throws {
        let frames = try await record { track in
            [
                MovieFile(folder.path("all.\(ending)"), texts: track), MovieFile(folder.path("plain.\(ending)")),
            ]
        }
        let streams = try runProgram([
            "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
            folder.path("all.\(ending)"),
        ])
        #expect(streams == "h264\n\(codec)\n")
        let texts = try texts("all.\(ending)")
        #expect(texts.count == 60)
        let begin = try #require(frames.first)
        for (number, text) in texts.enumerated() {
            #expect(abs(text.shown - number * 100) <= 1 && abs(text.told - begin - number * 100) <= 1, "\(text)")
        }
        let pictures = try ["all", "plain"].map { name in
            try runProgram([
                "ffmpeg", "-v", "error", "-i", folder.path("\(name).\(ending)"), "-map", "0:v", "-fps_mode",
                "passthrough", "-f", "framemd5", "-",
            ])
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test("parts and clips have the texts of their times", arguments: ["mp4", "mkv"])
    func parts(_ ending: String) async throws {
        let frames = try await record { track in
            [
                MovieFile(folder.path("part-%03d.\(ending)"), texts: track, segments: .duration(.seconds(2))),
                MovieFile(
                    folder.path("clip.\(ending)"), texts: track,
                    clips: ClipWindow(before: .milliseconds(1500), after: .milliseconds(500))),
            ]
        }
        let begin = try #require(frames.first)
        for number in 1...3 {
            let texts = try texts("part-00\(number).\(ending)")
            #expect((19...20).contains(texts.count))
            for text in texts { #expect(abs(text.told - begin - (number - 1) * 2000 - text.shown) <= 34, "\(text)") }
        }
        let name = try #require(folder.names.first { $0.hasPrefix("clip") })
        let texts = try texts(name)
        let offsets = Set(texts.map { $0.told - begin - $0.shown })
        let first = try #require(offsets.min())
        // Matroska has no edit lists, so that a clip begins with the key frame before.
        #expect(ending == "mp4" ? (2466...2534).contains(first) : (1900...2534).contains(first), "\(offsets)")
        #expect(try #require(offsets.max()) - first <= 1)
        #expect(texts.count >= 19)
    }

    @Test("a camera's own file has them, too, and a text that is too long is empty")
    func camera() async throws {
        let rig = try RecordingRig()
        rig.camera
            --> CameraFile(
                rig.folder.path("a.mkv"),
                texts: TextTrack { time in "time \(time.nanoseconds / 1_000_000) ms" })
        for (name, count) in [("b.mp4", 32_501), ("c.mp4", 32_500)] {
            let text = String(repeating: "é", count: count)
            rig.camera --> CameraFile(rig.folder.path(name), texts: TextTrack { _ in text })
        }
        var begin = 0
        _ = try await rig.run { _ in
            let times = rig.deliver(RecordingRig.pictures(30).map { .compressed($0) })
            begin = Int(times[0].nanoseconds / 1_000_000)
        }
        let texts = try texts("a.mkv", in: rig.folder)
        #expect((10...12).contains(texts.count))
        for text in texts { #expect(abs(text.told - begin - text.shown) <= 1, "\(text) after \(begin)") }
        for (name, isShown) in [("b.mp4", false), ("c.mp4", true)] {
            #expect(try Probe(rig.folder.path(name)).frames == 30)
            let shown = try runProgram([
                "ffmpeg", "-v", "error", "-i", rig.folder.path(name), "-map", "0:s:0", "-f", "srt", "-",
            ])
            #expect(shown.contains("é") == isShown, "\(name)")
        }
    }

    @Test("a text lasts half a second at most, and no longer than 32 frames")
    func lengths() {
        let track = TextTrack(every: .seconds(5)) { _ in "" }
        #expect(track.interval == .milliseconds(500))
        #expect(TextTrack(every: .zero) { _ in "" }.interval == .milliseconds(20))
        func time(_ milliseconds: Int) -> Timestamp { .zero.advanced(by: .milliseconds(milliseconds)) }
        let tap = TextTap(track)
        for frame in 0..<100 { tap.reach(from: time(frame), to: time(frame + 1)) }
        var times: [Timestamp] = []
        while let packet = tap.feed.next() { times.append(packet.time) }
        #expect(times == [0, 32, 64, 96].map { time($0) })
    }

    @Test("a container without texts, and a time-lapse, refuse them", arguments: ["a.webm", "a.ts", "lapse.mp4"])
    func refused(_ name: String) async throws {
        let lapse = name == "lapse.mp4" ? TimeLapse(every: .seconds(1), frameRate: FrameRate(25)) : nil
        let file = MovieFile(folder.path(name), texts: TextTrack { _ in "" }, timeLapse: lapse)
        let error = #expect(throws: SinkError.self) { try file.checked() }
        #expect(error?.description.contains("texts") == true, "\(error?.description ?? "")")
    }
}
#endif
