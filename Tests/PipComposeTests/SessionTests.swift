import PipCompose
import Testing

@Suite("A session")
struct SessionTests {
    @Test("runs raw files to their end and writes every frame")
    func runsFiles() async throws {
        let folder = try TemporaryFolder()
        let size = PixelSize(64, 48)
        try folder.write("main.nv12", [UInt8](repeating: 90, count: 64 * 72 * 5))
        try folder.write("inset.nv12", [UInt8](repeating: 180, count: 64 * 72 * 5))
        let main = RawSource(folder.path("main.nv12"), format: .nv12, size: size)
        let inset = RawSource(folder.path("inset.nv12"), format: .nv12, size: size)
        let picture = Compositor {
            Layer(main)
            Layer(inset).placed(x: 8, y: 8, width: 16)
        }
        picture --> RawFile(folder.path("out.nv12"), format: .nv12)
        var options = SessionOptions()
        options.clock = .maximum
        let session = try await Session(picture, options: options)
        try await session.run()
        let bytes = try folder.read("out.nv12")
        #expect(bytes.count == 64 * 72 * 5)
        #expect(bytes[0] == 90)
        #expect(bytes[64 * 8 + 8] == 180)
        #expect(session.statistics.output.frames == 5)
        #expect(session.statistics.sources.map(\.used) == [5, 5])
    }
}
