import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

@Suite struct RawReaderTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(5, 3)
    /// The size of a 5 x 3 frame of NV12: 15 luma samples and 3 x 2 chroma pairs.
    private let frameBytes = 27

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    @Test("frames are read one after another, and then the reader ends", arguments: [nil, 32])
    func frames(stride: Int?) throws {
        var options = RawOptions(format: .nv12, size: size, rate: FrameRate(24))
        options.stride = stride
        let reader = try RawReader(path: try folder.file("a.nv12", bytes(2 * frameBytes)), options: options)
        #expect(reader.description.length == .frames(2))
        #expect(reader.description.rate == FrameRate(24))
        #expect(try next(reader, index: 0) == Array(bytes(2 * frameBytes).prefix(frameBytes)))
        #expect(try next(reader, index: 1) == Array(bytes(2 * frameBytes).suffix(frameBytes)))
        #expect(try next(reader, index: 2) == nil)
    }

    @Test("a looping file begins again")
    func loop() throws {
        var options = RawOptions(format: .nv12, size: size)
        options.loops = true
        let reader = try RawReader(path: try folder.file("a.nv12", bytes(2 * frameBytes)), options: options)
        #expect(reader.description.length == .endless)
        let read = try (0..<5).map { try next(reader, index: $0)?.first }
        #expect(read == [0, 27, 0, 27, 0])
    }

    @Test("unlabelled pixels get the colorimetry that players assume")
    func colorimetry() throws {
        let yuv = try RawReader(
            path: try folder.file("a", bytes(frameBytes)), options: RawOptions(format: .nv12, size: size))
        #expect(yuv.description.colorimetry == .bt601)
        let rgb = try RawReader(path: try folder.file("b", bytes(60)), options: RawOptions(format: .rgba, size: size))
        #expect(rgb.description.colorimetry == .srgb)
    }

    @Test("a file of another size is refused with the expected size and the surplus")
    func wrongSize() throws {
        let path = try folder.file("a.nv12", bytes(30))
        let error = #expect(throws: SourceError.self) {
            try RawReader(path: path, options: RawOptions(format: .nv12, size: size))
        }
        #expect(error?.kind == .damaged)
        #expect(
            error?.description
                == "\(path): cannot read: 30 bytes are not a whole number of 5x3 nv12 frames of 27 bytes: "
                + "there are 1, and 3 bytes more; check size and format")
    }

    @Test("an empty file, a folder, a missing file and an absurd size are refused")
    func refused() throws {
        let options = RawOptions(format: .nv12, size: size)
        let empty = try folder.file("empty", [])
        #expect(throws: SourceError(empty, "read", .damaged, "it is empty")) {
            try RawReader(path: empty, options: options)
        }
        let missing = folder.path("missing")
        let error = #expect(throws: SourceError.self) { try RawReader(path: missing, options: options) }
        #expect(error?.kind == .notFound)
        #expect(error?.description == "\(missing): cannot open: No such file or directory")
        #expect(throws: SourceError.self) { try RawReader(path: folder.url.path, options: options) }
        #expect(throws: SourceError.self) {
            try RawReader(path: empty, options: RawOptions(format: .nv12, size: PixelSize(0, 3)))
        }
        #expect(throws: SourceError.self) {
            try RawReader(path: empty, options: RawOptions(format: .nv12, size: PixelSize(100_000, 100_000)))
        }
    }

    @Test("a pipe is read to its end, whatever the writer's block size", arguments: [1, 10, 1000])
    func pipe(pieces: Int) throws {
        let path = try folder.pipe("pipe")
        let reader = try RawReader(path: path, options: RawOptions(format: .nv12, size: size))
        #expect(reader.description.length == .unknown)
        let writer = feed(path, bytes(2 * frameBytes), pieces: pieces)
        #expect(try next(reader, index: 0)?.last == 26)
        #expect(try next(reader, index: 1)?.last == 53)
        #expect(try next(reader, index: 2) == nil)
        writer.join()
    }

    @Test("a pipe that ends within a frame names the frame and the bytes")
    func pipeCutOff() throws {
        let path = try folder.pipe("pipe")
        let reader = try RawReader(path: path, options: RawOptions(format: .nv12, size: size))
        let writer = feed(path, bytes(frameBytes + 4), pieces: 1000)
        #expect(try next(reader, index: 0) != nil)
        let error = #expect(throws: SourceError.self) { try next(reader, index: 1) }
        #expect(error?.description == "\(path): cannot read frame 1: the frame is cut off after 4 of 27 bytes")
        writer.join()
    }

    @Test("a pipe cannot loop")
    func pipeLoop() throws {
        var options = RawOptions(format: .nv12, size: size)
        options.loops = true
        let path = try folder.pipe("pipe")
        let reason = "only a regular file can be read again, not a pipe or a device"
        #expect(throws: SourceError(path, "loop", .invalidOptions, reason)) {
            try RawReader(path: path, options: options)
        }
    }

    @Test("an interruption ends the wait for a pipe without a writer")
    func interrupted() throws {
        let reader = try RawReader(path: try folder.pipe("pipe"), options: RawOptions(format: .nv12, size: size))
        let interruption = reader.interruption
        let thread = WorkerThread(name: "interrupts") { interruption.raise() }
        #expect(try next(reader) == nil)
        thread.join()
    }
}
