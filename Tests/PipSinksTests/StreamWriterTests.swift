import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSinks

@Suite struct StreamWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func info(_ layout: FrameLayout, _ colorimetry: Colorimetry = .bt709) -> FrameInfo {
        FrameInfo(layout: layout, colorimetry: colorimetry)
    }

    @Test("raw frames are written without padding", arguments: PixelFormat.allCases, [nil, 64])
    func raw(format: PixelFormat, stride: Int?) throws {
        let layout = FrameLayout(format, PixelSize(7, 5), stride: stride)
        let writer = RawWriter(.path(folder.path("out")), request: SinkRequest(format: format))
        try writer.open(info(layout), rate: FrameRate(30))
        try writer.write(makeFrame(layout))
        try writer.write(makeFrame(layout, from: 100))
        try writer.finish()
        #expect(try folder.read("out") == counted(layout) + counted(layout, from: 100))
    }

    @Test("a Y4M file begins with its header line, and each frame with a frame line")
    func y4m() throws {
        let layout = FrameLayout(.i420, PixelSize(5, 3), stride: 8)
        let writer = try Y4MWriter(.path(folder.path("out.y4m")))
        try writer.open(info(layout), rate: FrameRate(30000, per: 1001))
        try writer.write(makeFrame(layout))
        try writer.write(makeFrame(layout, from: 50))
        try writer.finish()
        let line = "YUV4MPEG2 W5 H3 F30000:1001 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n"
        let frames = [UInt8(0), 50].flatMap { Array("FRAME\n".utf8) + counted(layout, from: $0) }
        #expect(try folder.read("out.y4m") == Array(line.utf8) + frames)
    }

    @Test("a Y4M file without frames is valid")
    func emptyY4M() throws {
        let writer = try Y4MWriter(.path(folder.path("out.y4m")))
        try writer.open(info(FrameLayout(.i420, PixelSize(4, 4)), .jpeg), rate: FrameRate(25))
        try writer.finish()
        let text = String(decoding: try folder.read("out.y4m"), as: UTF8.self)
        #expect(text == "YUV4MPEG2 W4 H4 F25:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\n")
    }

    @Test("a longer file of the same name is replaced")
    func replaces() throws {
        try Data(repeating: 9, count: 1000).write(to: folder.url.appendingPathComponent("out"))
        let layout = FrameLayout(.gray, PixelSize(2, 2))
        let writer = RawWriter(.path(folder.path("out")), request: SinkRequest(format: .gray))
        try writer.open(info(layout), rate: FrameRate(30))
        try writer.write(makeFrame(layout))
        try writer.finish()
        #expect(try folder.read("out") == [0, 1, 2, 3])
    }

    @Test("a missing folder is named, with the command that makes it")
    func missingFolder() throws {
        let path = folder.path("a/b/out.y4m")
        let writer = try Y4MWriter(.path(path))
        let error = #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.i420, PixelSize(2, 2))), rate: FrameRate(30))
        }
        let parent = folder.path("a/b")
        #expect(error?.kind == .cannotCreate)
        #expect(
            error?.description
                == "\(path): cannot create: the folder \(parent) does not exist; this makes it: mkdir -p \(parent)")
    }

    @Test("a folder in place of a file is an error")
    func isFolder() throws {
        let writer = RawWriter(.path(folder.url.path), request: SinkRequest(format: .gray))
        let error = #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.gray, PixelSize(2, 2))), rate: FrameRate(30))
        }
        #expect(error?.reason == "it is a folder; name a file in it")
    }

    @Test("a socket in place of a file is an error, without a wait for a reader")
    func isSocket() throws {
        let path = folder.path("socket")
        #expect(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
        let writer = RawWriter(.path(path), request: SinkRequest(format: .gray))
        let error = #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.gray, PixelSize(2, 2))), rate: FrameRate(30))
        }
        #expect(error?.description.contains("No such device or address") == true)
    }

    @Test("a file in place of a folder is an error with the system's message")
    func notAFolder() throws {
        try Data().write(to: folder.url.appendingPathComponent("file"))
        let writer = RawWriter(.path(folder.path("file/out")), request: SinkRequest(format: .gray))
        let error = #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.gray, PixelSize(2, 2))), rate: FrameRate(30))
        }
        #expect(error?.description == "\(folder.path("file/out")): cannot create: Not a directory")
    }

    @Test("a folder that must not be written is an error", .enabled(if: geteuid() != 0, "root may write anywhere"))
    func notPermitted() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        let writer = RawWriter(.path(folder.path("out")), request: SinkRequest(format: .gray))
        let error = #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.gray, PixelSize(2, 2))), rate: FrameRate(30))
        }
        #expect(error?.reason == "Permission denied")
    }

    @Test("a folder that does not allow new files is an error with the system's message")
    func forbidden() {
        let writer = RawWriter(.path("/sys/pip-compose.raw"), request: SinkRequest(format: .gray))
        let error = #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.gray, PixelSize(2, 2))), rate: FrameRate(30))
        }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.description.hasPrefix("/sys/pip-compose.raw: cannot create: ") == true)
    }

    @Test("row 47: a full disk is an error that says so")
    func fullDisk() throws {
        let layout = FrameLayout(.gray, PixelSize(64, 64))
        let writer = RawWriter(.path("/dev/full"), request: SinkRequest(format: .gray))
        try writer.open(info(layout), rate: FrameRate(30))
        let error = #expect(throws: SinkError.self) { try writer.write(makeFrame(layout)) }
        #expect(error?.kind == .failed)
        #expect(error?.description == "/dev/full: cannot write frame 0: No space left on device")
    }

    @Test("row 47: when writing fails within a frame, the file keeps its whole frames")
    func wholeFrames() throws {
        let layout = FrameLayout(.nv12, PixelSize(100, 100))
        let writer = RawWriter(.path(folder.path("out")), request: SinkRequest(format: .nv12))
        try writer.open(info(layout), rate: FrameRate(30))
        try writer.write(makeFrame(layout))
        try writer.write(makeFrame(layout))
        let error = #expect(throws: SinkError.self) { try writer.write(frameWithoutChroma(layout)) }
        #expect(error?.operation == "write frame 2")
        #expect(error?.reason == "Bad address; the file keeps 2 whole frames")
        try writer.finish()
        #expect(try folder.read("out") == counted(layout) + counted(layout))
    }

    /// A frame whose second plane the kernel cannot read: writing the frame fails after the first plane.
    private func frameWithoutChroma(_ layout: FrameLayout) -> Frame {
        let whole = makeFrame(layout)
        let closed = unsafe mmap(nil, layout.byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let planes = unsafe [
            whole.buffer.mutableBytes(ofPlane: 0),
            UnsafeMutableRawBufferPointer(start: closed, count: layout.byteCount),
        ]
        return unsafe Frame(info: whole.info, buffer: FrameBuffer(planes: planes, backing: whole.buffer))
    }

    @Test("row 53: a pipe without a reader is a special error")
    func closedPipe() throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        // A runner's thread blocks the signal, but this test uses the writer without a runner.
        blockBrokenPipeSignal()
        let layout = FrameLayout(.gray, PixelSize(8, 8))
        let writer = RawWriter(.descriptor(ends[1], name: "standard output"), request: SinkRequest(format: .gray))
        try writer.open(info(layout), rate: FrameRate(30))
        try writer.write(makeFrame(layout))
        close(ends[0])
        let error = #expect(throws: SinkError.self) { try writer.write(makeFrame(layout)) }
        #expect(error?.kind == .closedPipe)
        #expect(
            error?.description
                == "standard output: cannot write frame 1: the reader of standard output has closed the pipe")
        close(ends[1])
    }

    /// Reads a pipe to its end on a separate thread, and then closes the descriptor.
    private func readAll(_ received: Monitor<[UInt8]>, _ open: @escaping @Sendable () -> Int32) -> WorkerThread {
        WorkerThread(name: "reads") {
            let descriptor = open()
            var piece = [UInt8](repeating: 0, count: 10_000)
            while true {
                let count = unsafe read(descriptor, &piece, piece.count)
                guard count > 0 else { break }
                let part = piece.prefix(count)
                received.update { $0.append(contentsOf: part) }
            }
            close(descriptor)
        }
    }

    @Test("frames larger than a pipe's buffer pass through it in parts")
    func partialWrites() throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        let layout = FrameLayout(.gray, PixelSize(700, 500), stride: 704)
        let received = Monitor<[UInt8]>([])
        let reader = readAll(received) { input }
        let writer = RawWriter(.descriptor(output, name: "pipe"), request: SinkRequest(format: .gray))
        try writer.open(info(layout), rate: FrameRate(30))
        try writer.write(makeFrame(layout))
        try writer.write(makeFrame(layout, from: 7))
        try writer.finish()
        close(output)
        reader.join()
        #expect(received.read { $0 } == counted(layout) + counted(layout, from: 7))
    }

    @Test("a named pipe is opened before its reader, and written when the reader comes")
    func namedPipe() throws {
        let path = try folder.pipe("pipe")
        let layout = FrameLayout(.i420, PixelSize(2, 2))
        let writer = try Y4MWriter(.path(path))
        try writer.open(info(layout), rate: FrameRate(30))
        let received = Monitor<[UInt8]>([])
        let reader = readAll(received) { unsafe open(path, O_RDONLY) }
        try writer.write(makeFrame(layout))
        try writer.finish()
        reader.join()
        let line = "YUV4MPEG2 W2 H2 F30:1 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\nFRAME\n"
        #expect(received.read { $0 } == Array(line.utf8) + counted(layout))
    }

    @Test("an interruption ends the wait for a pipe's reader")
    func interrupted() throws {
        let layout = FrameLayout(.gray, PixelSize(2, 2))
        let writer = RawWriter(.path(try folder.pipe("pipe")), request: SinkRequest(format: .gray))
        try writer.open(info(layout), rate: FrameRate(30))
        let interruption = writer.interruption
        let thread = WorkerThread(name: "interrupts") { interruption.raise() }
        let error = #expect(throws: SinkError.self) { try writer.write(makeFrame(layout)) }
        #expect(error?.kind == .interrupted)
        thread.join()
    }

    @Test("frames with another format or size than the opened one are refused")
    func otherFrames() throws {
        let layout = FrameLayout(.gray, PixelSize(2, 2))
        let writer = RawWriter(.path(folder.path("out")), request: SinkRequest(format: .gray))
        #expect(throws: SinkError.self) {
            try writer.open(info(FrameLayout(.rgba, PixelSize(2, 2))), rate: FrameRate(30))
        }
        try writer.open(info(layout), rate: FrameRate(30))
        #expect(throws: SinkError.self) { try writer.write(makeFrame(FrameLayout(.gray, PixelSize(3, 2)))) }
        #expect(throws: SinkError.self) { try Y4MWriter(.standardOutput, request: SinkRequest(format: .nv12)) }
    }
}
