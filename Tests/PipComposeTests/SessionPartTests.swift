import PipCompose
import PipTestSupport
import Testing

@Suite("Parts of an output")
struct SessionPartTests {
    private static let size = PixelSize(32, 16)
    private let folder: TemporaryFolder

    /// Writes video files in which each frame has its own value.
    init() throws {
        folder = try TemporaryFolder()
        let header = Array("YUV4MPEG2 W32 H16 F30:1 C420jpeg\n".utf8)
        let plain = (0..<40).flatMap { Array("FRAME\n".utf8) + Self.frame(UInt8(20 + $0)) }
        try folder.write(header + plain, to: "plain.y4m")
        let tagged = (0..<40).flatMap { Array("FRAME\($0 % 3 == 0 ? " Ip" : "")\n".utf8) + Self.frame(UInt8(20 + $0)) }
        try folder.write(header + tagged, to: "tagged.y4m")
        try folder.write((0..<5).flatMap { Self.frame(UInt8(100 + 20 * $0)) }, to: "short.i420")
    }

    private static func frame(_ value: UInt8) -> [UInt8] { [UInt8](repeating: value, count: 32 * 24) }

    /// Composes `frames` frames from frame `first` on, and returns the output file.
    private func bytes(
        of source: some FrameProducer, beside other: some FrameProducer, from first: Int, frames: Int? = nil
    ) async throws -> [UInt8] {
        let picture = Compositor(canvas: Self.size) {
            Layer(source)
            Layer(other).placed(x: 4, y: 4, width: 8)
        }
        picture --> RawFile(folder.path("out.i420"), format: .i420)
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(picture, options: options).run(frames: frames, from: first)
        return try folder.read("out.i420")
    }

    private func short(_ rate: FrameRate, loops: Bool) -> RawSource {
        RawSource(
            folder.path("short.i420"), format: .i420, size: Self.size, frameRate: rate, loops: loops)
    }

    @Test("a part has the same frames as the whole output", arguments: ["plain.y4m", "tagged.y4m"], [true, false])
    func equalsWhole(name: String, loops: Bool) async throws {
        let main = folder.path(name)
        let rate = FrameRate(7)
        let whole = try await bytes(of: Y4MSource(main), beside: short(rate, loops: loops), from: 0)
        #expect(whole.count == 40 * 32 * 24)
        var parts: [UInt8] = []
        for (first, count) in [(0, 13), (13, 1), (14, 15), (29, nil)] as [(Int, Int?)] {
            parts += try await bytes(
                of: Y4MSource(main), beside: short(rate, loops: loops), from: first, frames: count)
        }
        #expect(parts == whole)
    }

    @Test("a part from frame 30 on reads no earlier frames")
    func readsFromThere() async throws {
        let source = Y4MSource(folder.path("plain.y4m"))
        source --> NullSink()
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(source, options: options)
        try await session.run(from: 30)
        #expect(session.statistics.output.frames == 10)
        #expect(session.statistics.sources.first?.used == 10)
        #expect(session.statistics.sources.first?.drops.total == 0)
    }

    @Test("a part that begins after the end has at most one frame")
    func behindEnd() async throws {
        let source = Y4MSource(folder.path("plain.y4m"))
        source --> NullSink()
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(source, options: options)
        try await session.run(from: 100)
        #expect(session.statistics.output.frames <= 1)
    }

    @Test("the length of the files is that of the longest file that does not loop")
    func length() async throws {
        let main = Y4MSource(folder.path("plain.y4m"))
        let picture = Compositor(canvas: Self.size) {
            Layer(main)
            Layer(short(FrameRate(2), loops: false)).placed(x: 4, y: 4, width: 8)
            Layer(short(FrameRate(1), loops: true)).placed(x: 4, y: 4, width: 8)
        }
        picture --> NullSink()
        #expect(try await Session(picture).fileLength == .milliseconds(2500))
        let endless = short(FrameRate(1), loops: true)
        endless --> NullSink()
        #expect(try await Session(endless).fileLength == nil)
    }

    @Test("effects that keep earlier frames are named, and no other effects")
    func temporalEffects() async throws {
        let source = Y4MSource(folder.path("plain.y4m"))
        let picture = source --> Sepia() --> LowPass()
        picture --> NullSink()
        #expect(try await Session(picture).temporalEffects == ["low-pass"])
    }
}
