import Foundation
import PipCodecs
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSinks

@Suite struct PictureWriterTests {
    private let folder: TemporaryFolder
    private let layout = FrameLayout(.rgba, PixelSize(3, 2), stride: 20)

    init() throws { folder = try TemporaryFolder() }

    private func write(_ count: Int, to path: String) throws {
        let writer = try PNGWriter(path: path)
        try writer.open(FrameInfo(layout: layout, colorimetry: .srgb), rate: FrameRate(30))
        for index in 0..<count { try writer.write(opaque(UInt8(index))) }
        writer.finish()
    }

    private func opaque(_ value: UInt8) -> Frame {
        let frame = makeFrame(layout)
        for row in 0..<2 {
            for byte in 0..<12 {
                unsafe frame.buffer.mutableBytes(ofPlane: 0)[20 * row + byte] = byte % 4 == 3 ? 255 : value
            }
        }
        return frame
    }

    private func firstByte(_ name: String) throws -> UInt8 {
        let bytes = try folder.read(name)
        let layout = FrameLayout(.rgba, PixelSize(3, 2))
        let buffer = FrameBuffer(layout)
        try bytes.withBytes { try PNG.decode($0, into: buffer, layout: layout, subject: name) }
        return unsafe buffer.bytes(ofPlane: 0)[0]
    }

    @Test("numbered files count from 1, their folder is created, and contains no other file")
    func numbered() throws {
        try write(3, to: folder.path("frames/%03d.png"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("frames")).sorted() == [
                "001.png", "002.png", "003.png",
            ])
        #expect(try firstByte("frames/002.png") == 1)
    }

    @Test("a path without a field holds the last frame")
    func single() throws {
        try write(3, to: folder.path("last.png"))
        #expect(try folder.names == ["last.png"])
        #expect(try firstByte("last.png") == 2)
    }

    @Test("a folder within a missing folder is not created, but refused with the command that creates it")
    func missingFolders() throws {
        let path = folder.path("a/b/%d.png")
        let error = #expect(throws: SinkError.self) { try write(1, to: path) }
        #expect(error?.kind == .cannotCreate)
        #expect(
            error?.reason
                == "the folder \(folder.path("a")) does not exist; this makes it: mkdir -p \(folder.path("a"))")
        let single = #expect(throws: SinkError.self) { try write(1, to: folder.path("a/last.png")) }
        #expect(
            single?.reason
                == "the folder \(folder.path("a")) does not exist; this makes it: mkdir -p \(folder.path("a"))")
    }

    @Test("a link and a device are written in place, not replaced")
    func special() throws {
        try Data().write(to: folder.url.appendingPathComponent("target.png"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.png"), withDestinationPath: folder.path("target.png"))
        try write(1, to: folder.path("link.png"))
        #expect(try firstByte("target.png") == 0)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.png"))
                == folder.path("target.png"))
        try write(1, to: "/dev/null")
        var status = stat()
        #expect(unsafe lstat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("row 47: a full disk is an error that says so")
    func fullDisk() {
        let error = #expect(throws: SinkError.self) { try write(1, to: "/dev/full") }
        #expect(error?.description == "/dev/full: cannot write frame 1: No space left on device")
    }

    @Test(
        "row 47: a series of pictures that waits for its disk continues with the next number", arguments: [true, false])
    func waitsForDisk(isNumbered: Bool) throws {
        let path = folder.path(isNumbered ? "frames/%03d.png" : "frames/last.png")
        let frames = folder.url.appending(path: "frames")
        try FileManager.default.createDirectory(at: frames, withIntermediateDirectories: true)
        var reserve = DiskReserve()
        (reserve.roomInterval, reserve.retryInterval) = (.zero, .zero)
        let events = Monitor<[SinkEvent]>([])
        let runner = try SinkRunner(
            PNGWriter(path: path), info: FrameInfo(layout: layout, colorimetry: .srgb), rate: FrameRate(30),
            recovery: SinkRecovery(path: path, reserve: reserve, makeWriter: nil),
            onEvent: { event in events.update { $0.append(event) } }, onError: { Issue.record("\($0)") })
        func submit(_ values: Range<UInt8>, _ isDone: (OutputStatistics) -> Bool) {
            for value in values {
                runner.submit(opaque(value), until: MonotonicClock().now.advanced(by: .seconds(20)))
            }
            let hasCome = runner.wait(until: MonotonicClock().now.advanced(by: .seconds(20)), for: isDone)
            #expect(hasCome)
        }
        submit(0..<3) { $0.written == 3 }
        // The folder is removed, as when a USB stick is unplugged.
        try FileManager.default.removeItem(at: frames)
        submit(3..<5) { $0.drops.total == 2 }
        try FileManager.default.createDirectory(at: frames, withIntermediateDirectories: true)
        submit(5..<8) { $0.written == 6 }
        #expect(runner.finish(by: MonotonicClock().now.advanced(by: .seconds(20))))
        #expect(runner.statistics.written == 6 && runner.statistics.error == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: frames.path).sorted()
        #expect(names == (isNumbered ? ["004.png", "005.png", "006.png"] : ["last.png"]))
        #expect(try firstByte(isNumbered ? "frames/004.png" : "frames/last.png") == (isNumbered ? 5 : 7))
        let told = events.read { $0 }
        #expect(told.count == 2 && told.last == .resumed(sink: path, path: path, leftOut: 2), "\(told)")
    }

    @Test("a folder in place of the file is an error")
    func isFolder() {
        let error = #expect(throws: SinkError.self) { try write(1, to: folder.url.path) }
        #expect(error?.kind == .cannotCreate)
    }

    @Test("JPEG files are written from planes", arguments: [PixelSize(16, 16), PixelSize(7, 5)])
    func jpeg(size: PixelSize) throws {
        let layout = FrameLayout(.i420, size, stride: 32)
        let writer = try JPEGWriter(path: folder.path("%d.jpg"), quality: 95)
        #expect(writer.request == SinkRequest(format: .i420, colorimetry: .jpeg))
        try writer.open(FrameInfo(layout: layout, colorimetry: .jpeg), rate: FrameRate(30))
        try writer.write(makeFrame(layout))
        try writer.write(makeFrame(layout))
        writer.finish()
        #expect(try folder.names == ["1.jpg", "2.jpg"])
        let bytes = try folder.read("2.jpg")
        #expect(try bytes.withBytes { try JPEGHeader($0, subject: "2.jpg").size } == size)
    }

    @Test("formats that a file cannot hold are refused")
    func formats() throws {
        #expect(throws: SinkError.self) { try PNGWriter(path: "a.png", request: SinkRequest(format: .nv12)) }
        let writer = try JPEGWriter(path: folder.path("a.jpg"))
        #expect(throws: SinkError.self) {
            try writer.open(FrameInfo(layout: layout, colorimetry: .srgb), rate: FrameRate(30))
        }
    }
}

@Suite struct PathPatternTests {
    private func path(_ pattern: String, _ number: Int, partial: Bool = false) throws -> String {
        var path: [CChar] = []
        try PathPattern(pattern).write(number, partial: partial ? ".part" : nil, to: &path)
        return String(decoding: path.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    @Test(
        "the number is filled in",
        arguments: [
            ("frames/%05d.png", 7, "frames/00007.png"), ("%d.png", 123, "123.png"),
            ("a%03d-b.png", 12345, "a12345-b.png"),
            ("%%%02d%%.png", 1, "%01%.png"), ("plain.png", 5, "plain.png"), ("100%%.png", 5, "100%.png"),
            ("Bühne/%09d.png", 0, "Bühne/000000000.png"),
        ])
    func numbers(pattern: String, number: Int, expected: String) throws {
        #expect(try path(pattern, number) == expected)
    }

    @Test("a file that is not complete has a hidden name in the same folder")
    func partial() throws {
        #expect(try path("a/b/%d.png", 3, partial: true) == "a/b/.3.png.part")
        #expect(try path("c.png", 3, partial: true) == ".c.png.part")
    }

    @Test(
        "the folder is the path before the last slash",
        arguments: [("a/b/%d.png", "a/b"), ("%d.png", ""), ("/x.png", "/")])
    func folder(pattern: String, expected: String) throws {
        #expect(try PathPattern(pattern).folder == expected)
    }

    @Test(
        "an invalid number field is refused",
        arguments: [
            "%", "a%", "%s.png", "%5d.png", "%00d.png", "%010d.png", "%0d.png", "%-3d.png", "%ld.png", "%d-%d.png",
            "%x", "%0",
            "%05", "%d/a.png", "", "frames/", "a\0b.png",
        ])
    func refused(pattern: String) {
        let error = #expect(throws: SinkError.self) { try PathPattern(pattern) }
        #expect(error?.kind == .invalidOptions)
    }
}
