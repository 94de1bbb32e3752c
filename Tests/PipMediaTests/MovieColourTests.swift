#if Media
import Foundation
import PipCompose
import PipFrames
import PipSinks
import PipTestSupport
import Synchronization
import Testing

@testable import PipMedia

@Suite("Colours of movies")
struct MovieColourTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    /// A sink that stores its first frame.
    private final class FirstFrame: FrameSink, Sendable {
        let format = PixelFormat.rgba
        let frame: Mutex<Frame?> = Mutex(nil)

        func open(_ info: FrameInfo, rate: FrameRate) throws {}
        func write(_ frame: Frame) throws { self.frame.withLock { if $0 == nil { $0 = frame } } }
        func finish() throws {}
    }

    /// The colours of the bars at 75 %: white, yellow, cyan, green, magenta, red, blue and grey.
    private static let bars: [[UInt8]] = [
        [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0], [0, 0, 191],
        [96, 96, 96],
    ]

    private static func tags(_ space: String, _ range: String) -> [String] {
        // FFmpeg 5 takes the tags from the options, and FFmpeg 7 from the frames.
        let frames = "setparams=range=\(range):colorspace=\(space):color_primaries=\(space):color_trc=\(space)"
        return [
            "-vf", "scale=out_color_matrix=\(space):out_range=\(range),\(frames)", "-color_range", range,
            "-colorspace", space, "-color_primaries", space, "-color_trc", space,
        ]
    }

    /// A movie to test: its name, its size and FFmpeg's arguments to make it.
    struct Encoding: Sendable, CustomTestStringConvertible {
        let name: String
        var size = PixelSize(320, 96)
        let arguments: [String]
        /// A filter option that tells FFmpeg the matrix; empty for a file whose matrix FFmpeg reads.
        var hint = ""

        var testDescription: String { name }
    }

    private static let x264 = ["-c:v", "libx264", "-crf", "2"]
    private static let encodings = [
        Encoding(name: "bt709.mp4", arguments: x264 + ["-pix_fmt", "yuv420p"] + tags("bt709", "tv")),
        Encoding(name: "bt601.mp4", arguments: x264 + ["-pix_fmt", "yuv420p"] + tags("smpte170m", "tv")),
        Encoding(name: "bt709-full.mp4", arguments: x264 + ["-pix_fmt", "yuv420p"] + tags("bt709", "pc")),
        Encoding(name: "bt601-full.mkv", arguments: x264 + ["-pix_fmt", "yuv420p"] + tags("smpte170m", "pc")),
        Encoding(name: "ten-bits.mkv", arguments: x264 + ["-pix_fmt", "yuv420p10le"] + tags("bt709", "tv")),
        Encoding(
            name: "ten-bits-full.mkv",
            arguments: ["-c:v", "libx265", "-x265-params", "log-level=none:qp=2", "-pix_fmt", "yuv420p10le"]
                + tags("bt709", "pc")),
        Encoding(name: "four-two-two.mp4", arguments: x264 + ["-pix_fmt", "yuv422p"] + tags("bt709", "tv")),
        Encoding(
            name: "four-two-two-ten-bits.mov",
            arguments: ["-c:v", "prores_ks", "-profile:v", "3", "-pix_fmt", "yuv422p10le"] + tags("bt709", "tv"),
            hint: "in_color_matrix=bt709:"),
        Encoding(name: "four-four-four.mp4", arguments: x264 + ["-pix_fmt", "yuv444p"] + tags("smpte170m", "tv")),
        Encoding(
            name: "odd.mkv", size: PixelSize(321, 97),
            arguments: ["-c:v", "ffv1", "-pix_fmt", "yuv444p"] + tags("bt709", "tv")),
        Encoding(name: "motion-jpeg.avi", arguments: ["-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", "yuvj422p"]),
        Encoding(name: "rgb.mov", arguments: ["-c:v", "png", "-pix_fmt", "rgb24"]),
        Encoding(name: "rgb-ffv1.mkv", arguments: ["-c:v", "ffv1", "-pix_fmt", "bgr0"]),
    ]

    @Test("colours of movies equal those that FFmpeg decodes", arguments: encodings)
    func bars(encoding: Encoding) async throws {
        let (size, path) = (encoding.size, files.folder.path(encoding.name))
        let row = (0..<size.width).flatMap { Self.bars[$0 * 8 / size.width] }
        try files.folder.write((0..<size.height * 2).flatMap { _ in row }, to: "bars.rgb")
        try files.ffmpeg(
            ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(size)", "-r", "25", "-i", "bars.rgb"] + encoding.arguments
                + [path])
        try files.ffmpeg(
            [
                "-i", path, "-frames:v", "1", "-vf", "scale=\(encoding.hint)flags=accurate_rnd+full_chroma_int",
                "-pix_fmt", "rgb24",
            ]
                + ["-f", "rawvideo", "decoded.rgb"])
        let decoded = try files.folder.read("decoded.rgb")
        try #require(decoded.count == size.width * size.height * 3)

        let sink = FirstFrame()
        let movie = MovieSource(path)
        movie --> CustomSink("first") { sink }
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(movie, options: options).run()
        let frame = try #require(sink.frame.withLock { $0 })
        #expect(frame.size == size)
        for bar in 0..<8 {
            let (x, y) = ((2 * bar + 1) * size.width / 16, size.height / 2)
            let own = (0..<3).map { Int(frame.sample(0, 4 * x + $0, y)) }
            let theirs = (0..<3).map { Int(decoded[(y * size.width + x) * 3 + $0]) }
            #expect(zip(own, theirs).allSatisfy { abs($0 - $1) <= 3 }, "bar \(bar): \(own), by FFmpeg \(theirs)")
        }
    }
}
#endif
