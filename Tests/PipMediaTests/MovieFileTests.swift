#if Media
import Foundation
import PipCompose
import PipPatterns
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Recordings")
struct MovieFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Draws a pattern for sinks, as fast as the sinks accept frames.
    @discardableResult
    private func draw(
        _ pattern: Pattern = .scene, size: PixelSize = PixelSize(160, 96), frames: Int = 30, into sinks: [any Sink]
    ) async throws -> [OutputStatistics] {
        let picture = Compositor { Layer(PatternSource(pattern, size: size)) }
        for sink in sinks { connect(picture, sink) }
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        try await session.run(frames: frames)
        return session.statistics.sinks
    }

    private func connect(_ picture: Compositor, _ sink: some Sink) { picture --> sink }

    @Test(
        "every container holds its codecs, with each frame at its timestamp",
        arguments: [
            ("a.mp4", VideoCodec.h264), ("a.mp4", .h265), ("a.mp4", .vp9), ("a.mp4", .av1), ("a.mov", .h264),
            ("a.mkv", .h264), ("a.mkv", .h265), ("a.mkv", .vp8), ("a.mkv", .mjpeg), ("a.webm", .vp8), ("a.webm", .vp9),
            ("a.webm", .av1), ("a.ts", .h264), ("a.ts", .h265),
        ])
    func containers(_ name: String, _ codec: VideoCodec) async throws {
        let statistics = try await draw(into: [MovieFile(folder.path(name), encoding: VideoEncoding(codec))])
        #expect(statistics[0].written == 30 && statistics[0].drops.total == 0 && statistics[0].error == nil)
        let probe = try Probe(folder.path(name))
        let names: [VideoCodec: String] = [.h265: "hevc"]
        #expect(probe.fields["codec_name"] == names[codec] ?? codec.rawValue)
        #expect(probe.frames == 30 && probe.times.count == 30 && probe.beginsWithKey)
        #expect(probe.fields["width"] == "160" && probe.fields["height"] == "96")
        let steps = try #require(probe.steps)
        // Matroska rounds times to milliseconds.
        #expect(steps.lowerBound > 0.0325 && steps.upperBound < 0.0345)
    }

    @Test("bars are recorded as they were composed, and their colours are tagged")
    func colors() async throws {
        let size = PixelSize(320, 240)
        try await draw(
            .bars, size: size, frames: 5,
            into: [
                MovieFile(folder.path("a.mp4"), encoding: VideoEncoding(rate: .bits(20_000_000))),
                RawFile(folder.path("a.i420"), format: .i420),
            ])
        let probe = try Probe(folder.path("a.mp4"))
        #expect(probe.fields["color_range"] == "tv" && probe.fields["pix_fmt"] == "yuv420p")
        #expect(probe.fields["color_space"] == "smpte170m" && probe.fields["color_transfer"] == "bt709")
        try runProgram([
            "ffmpeg", "-v", "error", "-i", folder.path("a.mp4"), "-f", "rawvideo", "-pix_fmt", "yuv420p",
            folder.path("b.i420"),
        ])
        let (composed, recorded) = (try folder.read("a.i420"), try folder.read("b.i420"))
        #expect(composed.count == recorded.count)
        let errors = zip(composed, recorded).map { abs(Int($0) - Int($1)) }
        // Codecs produce ringing at the edges of the bars.
        #expect(errors.filter { $0 > 3 }.count < errors.count / 50)
        #expect(Double(errors.reduce(0, +)) / Double(errors.count) < 0.5)
    }

    @Test("under pressure a file continues with a lower bit rate, and the event says so")
    func pressure() async throws {
        let policy = try PressurePolicy(steps: [PressureStep(at: .serious, .bitRate(0.4))])
        let path = folder.path("a.mp4")
        let statistics = try await VirtualTime.run { clock, _ in
            let picture = PatternSource(.noise, size: PixelSize(64, 48), frameRate: FrameRate(30))
            picture --> MovieFile(path, encoding: VideoEncoding(rate: .bits(400_000)))
            var options = SessionOptions()
            options.pressure.policy = policy
            options.pressure.pinned = .nominal
            options.time = clock
            let session = try await Session(picture, options: options)
            async let running: Void = session.run()
            try await clock.sleep(for: .seconds(10))
            await session.pinPressure(.serious)
            try await clock.sleep(for: .seconds(10))
            session.stop()
            try await running
            return session.statistics
        }
        #expect(statistics.pressure.events.last?.taken == [.bitRate(0.4)])
        let sizes = try Probe.packets("size", of: path).compactMap { Int($0[0]) }
        #expect(sizes.count == statistics.sinks[0].written && statistics.sinks[0].drops.total == 0)
        try #require(sizes.count > 500, "\(statistics.sinks)")
        let (before, after) = (sizes[20..<80].reduce(0, +), sizes.suffix(60).reduce(0, +))
        #expect(Double(after) < 0.6 * Double(before), "\(before), then \(after)")
        #expect(try Probe(path).frames == sizes.count)
    }

    @Test("successive files have each frame once, and each begins with a key frame")
    func segments() async throws {
        let limit = SegmentLimit.duration(.milliseconds(1500))
        try await draw(
            frames: 200,
            into: [
                MovieFile(folder.path("a-%03d.mp4"), segments: limit),
                MovieFile(folder.path("b.ts"), segments: .duration(.seconds(1))),
            ])
        let names = try folder.names
        #expect(names.filter { $0.hasPrefix("a-") } == (1...5).map { "a-00\($0).mp4" })
        #expect(names.filter { $0.hasPrefix("b-") }.count == 7)
        let probes = try names.map { try Probe(folder.path($0)) }
        #expect(probes.filter { !$0.beginsWithKey }.isEmpty)
        #expect(probes.map(\.frames) == [45, 45, 45, 45, 20] + [30, 30, 30, 30, 30, 30, 20])
        #expect(probes.map(\.times.count) == probes.map(\.frames))
    }

    @Test("the oldest files of a recording are deleted, and other files are not")
    func retention() async throws {
        try folder.write([1, 2, 3], to: "a-x.mp4")
        try folder.write([UInt8](repeating: 0, count: 3_000_000), to: "a-00000.mp4")
        let encoding = VideoEncoding(rate: .bits(3_000_000))
        try await draw(
            .noise, frames: 400,
            into: [
                MovieFile(
                    folder.path("a-%05d.mp4"), encoding: encoding, segments: .duration(.seconds(1)),
                    keep: .bytes(2_000_000))
            ])
        let names = try folder.names
        #expect(names.contains("a-x.mp4") && !names.contains("a-00000.mp4") && names.contains("a-00014.mp4"))
        let own = names.filter { $0 != "a-x.mp4" }
        let bytes = try own.reduce(0) { $0 + (try folder.read($1).count) }
        #expect(bytes <= 2_000_000 && own.count >= 2)
    }

    @Test("sizes that a codec cannot encode lose their last row and column")
    func oddSizes() async throws {
        try await draw(
            size: PixelSize(320, 240), frames: 3,
            into: [
                MovieFile(folder.path("a.mp4")).scaled(to: PixelSize(97, 65)),
                MovieFile(folder.path("b.webm")).scaled(to: PixelSize(97, 65)),
                MovieFile(folder.path("c.mp4")).scaled(to: PixelSize(16, 16)),
                MovieFile(folder.path("d.mp4")).scaled(to: PixelSize(3840, 2160)),
            ])
        let sizes = try folder.names.map { name in
            let probe = try Probe(folder.path(name))
            #expect(probe.frames == 3)
            return "\(probe.fields["width"] ?? "")x\(probe.fields["height"] ?? "")"
        }
        #expect(sizes == ["96x64", "97x65", "16x16", "3840x2160"])
    }

    @Test("all-intra, a quality and a chosen encoder take effect")
    func encodings() async throws {
        var intra = VideoEncoding(rate: .quality(60), keyFrameInterval: .zero)
        intra.encoder = "openh264enc"
        let statistics = try await draw(
            into: [
                MovieFile(folder.path("a.mp4"), encoding: intra),
                MovieFile(folder.path("b.mp4"), encoding: VideoEncoding(rate: .quality(90))),
                MovieFile(folder.path("c.mp4"), encoding: VideoEncoding(rate: .quality(20))),
            ])
        #expect(statistics.map(\.encoder) == ["openh264enc", "x264enc", "x264enc"])
        #expect(try Probe.packets("flags", of: folder.path("a.mp4")).allSatisfy { $0[0].hasPrefix("K") })
        let (good, poor) = (try folder.read("b.mp4").count, try folder.read("c.mp4").count)
        #expect(good > 2 * poor)
    }

    @Test("a recording that cannot be made is an error with its reason, and nothing is lost")
    func mistakes() async throws {
        try folder.write([1, 2, 3], to: "there.mp4")
        var unknown = VideoEncoding()
        unknown.encoder = "nonsense"
        var foreign = VideoEncoding(.h265)
        foreign.encoder = "x264enc"
        let cases: [(MovieFile, String)] = [
            (MovieFile(folder.path("there.mp4")), "it exists"),
            (MovieFile(folder.path("nowhere/a.mp4")), "mkdir -p"),
            (MovieFile(folder.path("a.webm"), encoding: VideoEncoding(.h264)), "cannot hold H.264"),
            (MovieFile(folder.path("a.txt")), "its extension must be one of .mp4"),
            (MovieFile(folder.path("a.mp4"), encoding: unknown), "there is no encoder nonsense; for H.264 there are"),
            (MovieFile(folder.path("a.mp4"), encoding: foreign), "x264enc makes H.264, not H.265"),
            (MovieFile(folder.path("a.mp4"), encoding: VideoEncoding(rate: .bits(0))), "a bit rate of 0"),
            (MovieFile(folder.path("a.mp4"), encoding: VideoEncoding(rate: .bits(2 << 40))), "1 Gbit/s"),
            (MovieFile(folder.path("a.mp4"), encoding: VideoEncoding(keyFrameInterval: .seconds(3600))), "60 seconds"),
            (MovieFile(folder.path("a.mp4"), encoding: VideoEncoding(threads: 65)), "from 1 to 64"),
            (MovieFile(folder.path("a.mp4"), segments: .duration(.milliseconds(1))), "must be from 1 second to 1 day"),
            (MovieFile(folder.path("a.mp4"), keep: .bytes(1000)), "in parts"),
            (MovieFile(folder.path("%Q.mp4")), "%Q"),
        ]
        for (sink, reason) in cases {
            let error = await #expect(throws: SessionError.self) { try await draw(frames: 2, into: [sink]) }
            #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
        }
        #expect(try folder.names == ["there.mp4"])
        #expect(try folder.read("there.mp4") == [1, 2, 3])
    }

    @Test("an existing file is replaced on request")
    func overwrites() async throws {
        try folder.write([UInt8](repeating: 1, count: 1_000_000), to: "a.mp4")
        try await draw(into: [MovieFile(folder.path("a.mp4"), overwrites: true)])
        #expect(try Probe(folder.path("a.mp4")).frames == 30)
        let bytes = try folder.read("a.mp4").count
        #expect(bytes < 1_000_000)
    }

    @Test("a playlist of files is a stream that a player reads from its beginning to its end")
    func playlist() async throws {
        try await draw(frames: 130, into: [HLSStream(folder.path("live.m3u8"), segment: .seconds(1), length: nil)])
        let probe = try Probe(folder.path("live.m3u8"))
        #expect(probe.frames == 130)
        let text = String(decoding: try folder.read("live.m3u8"), as: UTF8.self)
        #expect(text.hasSuffix("#EXT-X-ENDLIST\n") && text.contains("live-00005.ts"))
    }

    @Test("a playlist lists files that are completed at the same time in the order of their pictures")
    func order() async throws {
        // At one frame a second, each segment has one picture.
        let picture = PatternSource(.noise, size: PixelSize(320, 240), frameRate: FrameRate(1))
        picture
            --> HLSStream(
                folder.path("live.m3u8"), encoding: VideoEncoding(keyFrameInterval: .seconds(1)), segment: .seconds(1),
                length: nil)
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(picture, options: options).run(frames: 120)
        let text = String(decoding: try folder.read("live.m3u8"), as: UTF8.self)
        let names = text.split(separator: "\n").filter { $0.hasSuffix(".ts") }
        let isSorted = names == names.sorted()
        #expect(names.count == 120 && isSorted, "\(names)")
    }
}
#endif
