import Glibc
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

@Suite struct Y4MReaderTests {
    private let folder: TemporaryFolder
    private let header = Array("YUV4MPEG2 W3 H3 F30000:1001 Ip C420jpeg XCOLORRANGE=FULL\n".utf8)
    /// The size of a 3 x 3 frame of I420: 9 luma samples and twice 4 chroma samples.
    private let frameBytes = 17

    init() throws { folder = try TemporaryFolder() }

    private func frame(_ value: UInt8, line: String = "FRAME\n") -> [UInt8] {
        Array(line.utf8) + [UInt8](repeating: value, count: frameBytes)
    }

    @Test("a file's frames are read, with its rate and colours", arguments: [nil, 16])
    func file(stride: Int?) throws {
        let path = try folder.file("a.y4m", header + frame(1) + frame(2))
        let reader = try Y4MReader(path: path, stride: stride)
        #expect(reader.description.frameCount == 2)
        #expect(reader.description.rate == FrameRate(30000, per: 1001))
        #expect(reader.description.layout.format == .i420)
        #expect(reader.description.colorimetry.range == .full)
        #expect(reader.description.colorimetry.chromaSiting == .center)
        #expect(try next(reader, index: 0) == [UInt8](repeating: 1, count: frameBytes))
        #expect(try next(reader, index: 1) == [UInt8](repeating: 2, count: frameBytes))
        #expect(try next(reader, index: 2) == nil)
    }

    @Test("tags of a frame are skipped")
    func frameTags() throws {
        let reader = try Y4MReader(
            path: try folder.file("a.y4m", header + frame(1, line: "FRAME Ip XA=b\n") + frame(2)))
        #expect(try next(reader, index: 0)?.first == 1)
        #expect(try next(reader, index: 1)?.first == 2)
    }

    @Test("a looping file begins again")
    func loop() throws {
        let reader = try Y4MReader(path: try folder.file("a.y4m", header + frame(1) + frame(2)), loops: true)
        #expect(reader.description.length == .endless)
        #expect(try (0..<5).map { try next(reader, index: $0)?.first } == [1, 2, 1, 2, 1])
    }

    @Test("a loop without frames is an error, not an endless loop")
    func emptyLoop() throws {
        let reader = try Y4MReader(path: try folder.file("a.y4m", header), loops: true)
        #expect(throws: SourceError.self) { try next(reader) }
    }

    @Test("a stream is read from a pipe, whatever the writer's block size", arguments: [1, 7, 4096])
    func pipe(pieces: Int) throws {
        let path = try folder.pipe("pipe")
        let writer = feed(path, header + frame(1) + frame(2), pieces: pieces)
        let reader = try Y4MReader(path: path)
        #expect(reader.description.length == .unknown)
        #expect(try next(reader, index: 0)?.first == 1)
        #expect(try next(reader, index: 1)?.last == 2)
        #expect(try next(reader, index: 2) == nil)
        writer.join()
    }

    @Test("an opening that is cancelled later does not cancel the reading")
    func cancelledLater() throws {
        let opening = Interruption()
        let reader = try Y4MReader(path: try folder.file("a.y4m", header + frame(1)), opening: opening)
        opening.raise()
        #expect(try next(reader, index: 0) == [UInt8](repeating: 1, count: frameBytes))
    }

    @Test("a file that is truncated within a frame is an error that names the frame", arguments: 1..<23)
    func cutOff(bytes: Int) throws {
        let path = try folder.file("a.y4m", header + frame(1) + Array(frame(2).prefix(bytes)))
        let reader = try Y4MReader(path: path)
        #expect(try next(reader, index: 0) != nil)
        let error = #expect(throws: SourceError.self) { try next(reader, index: 1) }
        #expect(error?.operation == "read frame 1")
        #expect(error?.kind == .damaged)
    }

    @Test("a file that is truncated within its first line is refused", arguments: 0..<57)
    func headerCutOff(bytes: Int) throws {
        let path = try folder.file("a.y4m", Array(header.prefix(bytes)))
        let error = #expect(throws: SourceError.self) { try Y4MReader(path: path) }
        #expect(error?.kind == .damaged)
    }

    @Test("misplaced frames, an endless first line and other files are refused")
    func refused() throws {
        let shifted = try Y4MReader(path: try folder.file("a.y4m", header + frame(1) + [9] + frame(2)))
        #expect(try next(shifted, index: 0) != nil)
        let second = #expect(throws: SourceError.self) { try next(shifted, index: 1) }
        #expect(second?.reason.hasPrefix("it does not begin with FRAME; the frame before it has fewer or more") == true)
        let displaced = try Y4MReader(path: try folder.file("e.y4m", header + [9] + frame(1)))
        let first = #expect(throws: SourceError.self) { try next(displaced) }
        #expect(first?.reason == "it does not begin with FRAME")
        let endless = try folder.file("b.y4m", Array("YUV4MPEG2 W3 H3".utf8) + [UInt8](repeating: 32, count: 5000))
        #expect(throws: SourceError.self) { try Y4MReader(path: endless) }
        let tags = try Y4MReader(
            path: try folder.file(
                "c.y4m", header + frame(1, line: "FRAME " + String(repeating: "x", count: 5000) + "\n")))
        #expect(throws: SourceError.self) { try next(tags) }
        let other = try folder.file("d.y4m", Array("RIFF....AVI \n".utf8))
        let error = #expect(throws: SourceError.self) { try Y4MReader(path: other) }
        #expect(error?.reason == "not a YUV4MPEG2 stream: it begins with 52 49 46 46 2e 2e 2e 2e 41 (at byte 0)")
    }

    @Test("interlaced streams are read, and reported")
    func interlaced() throws {
        let line = Array("YUV4MPEG2 W3 H3 F25:1 It\n".utf8)
        let reader = try Y4MReader(path: try folder.file("a.y4m", line + frame(1)))
        #expect(reader.description.note == "interlaced, shown without deinterlacing")
    }
}
