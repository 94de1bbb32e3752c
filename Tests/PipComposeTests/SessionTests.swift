import Glibc
import PipCompose
import PipTestSupport
import Testing

@Suite("A session")
struct SessionTests {
    @Test("runs raw files to their end and writes every frame")
    func runsFiles() async throws {
        let folder = try TemporaryFolder()
        let size = PixelSize(64, 48)
        try folder.write([UInt8](repeating: 90, count: 64 * 72 * 5), to: "main.nv12")
        try folder.write([UInt8](repeating: 180, count: 64 * 72 * 5), to: "inset.nv12")
        let main = RawSource(folder.path("main.nv12"), format: .nv12, size: size)
        let inset = RawSource(folder.path("inset.nv12"), format: .nv12, size: size)
        let picture = Compositor {
            Layer(main)
            Layer(inset).placed(x: 8, y: 8, width: 16)
        }
        picture --> RawFile(folder.path("out.nv12"), format: .nv12)
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        try await session.run()
        let bytes = try folder.read("out.nv12")
        #expect(bytes.count == 64 * 72 * 5)
        #expect(bytes[0] == 90)
        #expect(bytes[64 * 8 + 8] == 180)
        #expect(session.statistics.output.frames == 5)
        #expect(session.statistics.sources.map(\.used) == [5, 5])
    }

    @Test("draws the whole frames of a truncated file, and then reports the truncation")
    func cutFile() async throws {
        let folder = try TemporaryFolder()
        let frame = [UInt8](repeating: 100, count: 64 * 72)
        let header = Array("YUV4MPEG2 W64 H48 F30:1 C420jpeg\nFRAME\n".utf8)
        try folder.write(header + frame + Array("FRAME\n".utf8) + frame.prefix(1000), to: "cut.y4m")
        let picture = Compositor { Layer(Y4MSource(folder.path("cut.y4m"))) }
        picture --> RawFile(folder.path("out.i420"), format: .i420)
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        await #expect(throws: SessionError.self) { try await session.run() }
        #expect(try folder.read("out.i420") == frame)
    }

    @Test("cancelling the task that makes the session ends the wait for a pipe's header")
    func cancelledOpening() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.pipe("pipe.y4m")
        let source = Y4MSource(path)
        source --> FrameTap(.rgba)
        let opening = Task { try await Session(source) }
        // A non-blocking open for writing succeeds only once the pipe has a reader.
        var writer: CInt = -1
        while writer < 0 {
            writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
            if writer < 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        defer { close(writer) }
        opening.cancel()
        let error = await #expect(throws: SessionError.self) { try await opening.value }
        #expect(
            error?.description.hasSuffix("reading was stopped before the header came") == true,
            "\(error?.description ?? "")")
    }
}
