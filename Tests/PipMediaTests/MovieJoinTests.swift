#if Media
import Foundation
import PipCompose
import PipFrames
import PipPatterns
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Movies that are joined")
struct MovieJoinTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Composes frames of a scene, beginning with frame `first`, into a file.
    private func compose(
        _ name: String, _ codec: VideoCodec, from first: Int = 0, frames: Int = 50, _ part: MoviePart? = nil,
        size: PixelSize = PixelSize(160, 96)
    ) async throws {
        let picture = Compositor {
            Layer(PatternSource(.scene, size: size, frameRate: FrameRate(30000, per: 1001)))
        }
        picture --> MovieFile(folder.path(name), encoding: VideoEncoding(codec), part: part)
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(picture, options: options).run(frames: frames, from: first)
    }

    /// Composes a movie in three parts, and returns their paths.
    private func parts(_ ending: String, _ codec: VideoCodec) async throws -> [String] {
        var paths: [String] = []
        for (index, frames) in [0..<17, 17..<33, 33..<50].enumerated() {
            let name = "part-\(index).\(ending)"
            try await compose(
                name, codec, from: frames.lowerBound, frames: frames.count, MoviePart(index, of: 3, whole: "abc1"))
            paths.append(folder.path(name))
        }
        return paths
    }

    /// Returns the checksums of a file's decoded pictures.
    private func pictures(_ name: String) throws -> [String] {
        try runProgram(["ffmpeg", "-v", "error", "-i", folder.path(name), "-an", "-f", "framemd5", "-"])
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) }
    }

    private func mistake(
        _ parts: [String], to name: String = "whole.mp4", overwrites: Bool = false
    ) async throws -> String {
        let error = await #expect(throws: SessionError.self) {
            try await MovieJoin(parts, to: folder.path(name), overwrites: overwrites).run()
        }
        return error?.description ?? ""
    }

    @Test(
        "parts in any order become a file of all their pictures, at their timestamps in the whole",
        arguments: [
            ("mp4", VideoCodec.h264), ("mp4", .vp9), ("mov", .h264), ("mkv", .h264), ("mkv", .h265), ("webm", .vp8),
        ])
    func containers(_ ending: String, _ codec: VideoCodec) async throws {
        try await compose("once.\(ending)", codec)
        let parts = try await parts(ending, codec)
        let result = try await MovieJoin([parts[2], parts[0], parts[1]], to: folder.path("whole.\(ending)")).run()
        #expect(result.parts == 3 && result.frames == 50)
        #expect(abs(result.duration.inSeconds - 50 * 1.001 / 30) < 0.0001)
        let (once, whole) = (try Probe(folder.path("once.\(ending)")), try Probe(folder.path("whole.\(ending)")))
        #expect(whole.frames == 50)
        #expect(whole.times.sorted() == once.times.sorted())
        let separately = try (0..<3).flatMap { try pictures("part-\($0).\(ending)") }
        #expect(try pictures("whole.\(ending)") == separately)
    }

    @Test("pictures of an all-intra codec are bit-identical to those of a file made at once")
    func identical() async throws {
        try await compose("once.mkv", .mjpeg)
        _ = try await MovieJoin(try await parts("mkv", .mjpeg), to: folder.path("whole.mkv")).run()
        let whole = try pictures("whole.mkv")
        #expect(whole.count == 50 && Set(whole).count == 50)
        #expect(try whole == pictures("once.mkv"))
    }

    @Test("parts can be joined in another container")
    func otherContainer() async throws {
        _ = try await MovieJoin(try await parts("mov", .h264), to: folder.path("whole.mp4")).run()
        #expect(try Probe(folder.path("whole.mp4")).frames == 50)
        #expect(try await mistake(try await parts("mkv", .mjpeg), to: "whole.webm").contains("cannot hold MJPEG"))
    }

    @Test("parts that do not fit together are refused, and nothing is written")
    func refusals() async throws {
        let parts = try await parts("mp4", .h264)
        try await compose("other.mp4", .h264, MoviePart(1, of: 3, whole: "abc2"))
        try await compose("plain.mp4", .h264)
        try await compose("small.mp4", .h264, MoviePart(1, of: 3, whole: "abc1"), size: PixelSize(96, 64))
        try await compose("vp9.mp4", .vp9, MoviePart(1, of: 3, whole: "abc1"))
        let bytes = try folder.read("part-1.mp4")
        try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.mp4")
        let (first, last) = (parts[0], parts[2])
        let cases: [([String], String)] = [
            ([first, last], "part 1 of 3 is missing: make part 1 with --shard 1/3"),
            ([first], "2 parts, such as part 1, of 3 are missing: make part 1 with --shard 1/3"),
            ([first, parts[1], parts[1], last], "is part 1, too"),
            ([first, folder.path("other.mp4"), last], "it is part 1/3 of another movie"),
            ([first, folder.path("plain.mp4"), last], "it was not made with --shard"),
            ([first, folder.path("small.mp4"), last], "width, height)"),
            ([first, folder.path("vp9.mp4"), last], "codec"),
            ([first, folder.path("cut.mp4"), last], "it is cut off"),
            ([first, folder.path("none.mp4"), last], "No such file"),
            ([], "there is nothing to join: name at least one file"),
        ]
        for (parts, reason) in cases {
            let text = try await mistake(parts)
            #expect(text.contains(reason), "\(text)")
        }
        #expect(try await mistake(parts, to: "whole.txt").contains("its extension must be one of .mp4"))
        #expect(try await mistake(parts, to: "none/whole.mp4").contains("does not exist"))
        #expect(try await mistake(parts, to: "plain.mp4").contains("it exists"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix("whole") || $0.contains("unfinished") }, "\(names)")
    }

    @Test("a recording's files are joined with their sound without a gap")
    func recording() async throws {
        let mixer = AudioMixer()
        mixer.add(ToneSource(440))
        let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
        picture
            --> MovieFile(folder.path("r-%05d.mp4"), sound: [mixer], segments: .duration(.seconds(1)))
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(picture, options: options).run(for: .seconds(3))
        let parts = (1...3).map { folder.path("r-0000\($0).mp4") }
        let result = try await MovieJoin(parts, to: folder.path("whole.mp4")).run()
        #expect(result.frames == 90 && abs(result.duration.inSeconds - 3) < 0.001)
        let packets = try Probe.packets("pts_time", of: folder.path("whole.mp4"), stream: "a:0")
        let times = packets.compactMap { Double($0[0]) }
        #expect(times.count >= 139, "\(times.count)")
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(steps.allSatisfy { abs($0 - 1024.0 / 48_000) < 0.002 }, "\(steps)")
    }
}
#endif
