#if Media
import Foundation
import PipCompose
import PipFrames
import PipPatterns
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Spans of joined movies")
struct JoinedSpanTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records three files of a second each, with key frames half a second apart and a tone, and returns their paths.
    private func record(_ ending: String) async throws -> [String] {
        let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
        let mixer = AudioMixer()
        mixer.add(ToneSource(1000, level: -20))
        picture
            --> MovieFile(
                folder.path("a-%01d.\(ending)"),
                encoding: VideoEncoding(keyFrameInterval: .milliseconds(500)), sound: [mixer],
                segments: .duration(.seconds(1)))
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(picture, options: options).run(frames: 90)
        return try folder.names.map { folder.path($0) }
    }

    /// The checksums of a file's decoded pictures.
    private func pictures(_ path: String) throws -> [Substring] {
        try runProgram([
            "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-",
        ]).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }

    @Test(
        "a span over two parts has its pictures exactly, or from the key frame before, and its sound",
        arguments: [("mp4", 24), ("mov", 24), ("mkv", 15)])
    func span(_ ending: String, _ first: Int) async throws {
        let parts = try await record(ending)
        #expect(parts.count == 3)
        let (whole, cut) = (folder.path("all.\(ending)"), folder.path("cut.\(ending)"))
        _ = try await MovieJoin(parts, to: whole).run()
        let result = try await MovieJoin(parts, to: cut, span: .milliseconds(800)..<(.milliseconds(1500))).run()
        #expect(abs(result.duration.inSeconds - 0.7) < 0.04, "\(result)")
        let (all, shown) = (try pictures(whole), try pictures(cut))
        #expect(shown == Array(all[first..<45]), "\(shown.count) of \(all.count)")
        let sound = try Probe.packets("pts_time", of: cut, stream: "a:0").compactMap { $0.first.flatMap { Double($0) } }
        #expect(try #require(sound.last) > Double(45 - first) / 30 - 0.06)
    }

    @Test("a span behind the end of the movie is refused, and nothing is written")
    func behind() async throws {
        let parts = try await record("mp4")
        let error = await #expect(throws: SessionError.self) {
            try await MovieJoin(parts, to: folder.path("none.mp4"), span: .seconds(50)..<(.seconds(60))).run()
        }
        #expect(error?.description.contains("no pictures from that time on") == true, "\(error?.description ?? "")")
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.mp4")))
    }

    @Test("pictures without a duration are copied from the first one on")
    func noDuration() throws {
        let format = PacketFormat(jpeg: PixelSize(64, 48), FrameRate(25))
        var span = JoinedSpan(.milliseconds(80)..<Duration.seconds(1))
        var copied: [Timestamp] = []
        for frame in 0..<5 {
            let time = Timestamp.zero.advanced(by: .milliseconds(40 * frame))
            let packet = try #require(Packet([1], format, at: time, duration: .zero))
            for case .picture(let packet) in span.add(.picture(packet)) { copied.append(packet.time) }
        }
        #expect(copied == [80, 120, 160].map { .zero.advanced(by: .milliseconds($0)) })
    }
}
#endif
