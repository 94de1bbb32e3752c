import Foundation
import PipCodecs
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

/// Tests the reading of still and animated pictures from files.
@Suite("Pictures")
struct PictureReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Files

    private func encoded(_ layout: FrameLayout, _ value: UInt8, asPNG: Bool = true) throws -> [UInt8] {
        let frame = makeFrame(layout, colorimetry: asPNG ? .srgb : .jpeg) { _, _, _ in value }
        let output = ByteBuffer()
        if asPNG {
            try PNGEncoder().encode(frame, into: output, subject: "x")
        } else {
            try JPEGEncoder(quality: 100).encode(frame, into: output, subject: "x")
        }
        return output.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Writes a PNG file whose samples all have one value.
    private func write(_ name: String, _ value: UInt8, _ size: PixelSize = PixelSize(4, 3)) throws {
        _ = try folder.file(name, encoded(FrameLayout(.rgba, size), value))
    }

    private func open(_ path: String, _ rate: Int? = 10, ending: PictureEnding = .loops) throws -> PictureReader {
        try PictureReader(path: folder.path(path), rate: rate.map { FrameRate($0) }, ending: ending)
    }

    /// The frames' timestamps in milliseconds, each with the fourth sample of the frame's first pixel.
    private func frames(_ reader: PictureReader, _ range: Range<Int>) throws -> [String] {
        try range.compactMap { index in
            try reader.next(index: index).map {
                "\($0.info.timestamp.nanoseconds / 1_000_000) \(samples($0)[3])"
            }
        }
    }

    private func pixels(_ reader: PictureReader) throws -> [UInt8]? {
        try reader.next(index: 0).map { frame in
            frame.layout.planes.indices.flatMap { samples(frame, plane: $0) }
        }
    }

    private func reason(_ path: String, isOverlay: Bool = false) -> String? {
        #expect(throws: SourceError.self) {
            let reader = try PictureReader(path: path, isOverlay: isOverlay)
            for index in 0..<3 { _ = try reader.next(index: index) }
        }?.reason
    }

    // MARK: One picture

    @Test("a PNG picture is RGBA, whatever its name")
    func png() throws {
        let bytes = try encoded(FrameLayout(.rgb24, PixelSize(3, 2)), 77)
        let reader = try PictureReader(path: try folder.file("a.jpg", bytes))
        #expect(reader.description.isStill && !reader.description.isTimed)
        #expect(reader.description.length == .endless)
        #expect(reader.description.layout == FrameLayout(.rgba, PixelSize(3, 2)))
        #expect(reader.description.colorimetry == .srgb)
        #expect(try pixels(reader) == Array(repeating: [77, 77, 77, 255], count: 6).flatMap { $0 })
    }

    @Test("a 4:2:0 JPEG picture is I420 in full range")
    func jpeg() throws {
        let bytes = try encoded(FrameLayout(.i420, PixelSize(5, 3)), 90, asPNG: false)
        let reader = try PictureReader(path: try folder.file("a.jpg", bytes))
        #expect(reader.description.layout.format == .i420)
        #expect(reader.description.colorimetry == .jpeg)
        #expect(try pixels(reader)?.allSatisfy { abs(Int($0) - 90) <= 1 } == true)
    }

    @Test("a WebP picture is RGBA with the orientation of its file")
    func webP() throws {
        let still = try PictureReader(path: try folder.file("a", TestWebP.still))
        #expect(still.description.layout == FrameLayout(.rgba, PixelSize(2, 1)))
        #expect(still.description.orientation == Orientation(quarterTurns: 1))
        #expect(try pixels(still) == [100, 50, 25, 128, 0, 0, 0, 0])
    }

    @Test("a truncated picture is a reading error", arguments: [true, false])
    func cutOff(isPNG: Bool) throws {
        let bytes = try encoded(FrameLayout(isPNG ? .rgb24 : .i420, PixelSize(64, 64)), 90, asPNG: isPNG)
        let reader = try PictureReader(path: try folder.file("a", Array(bytes.dropLast(40))))
        let error = #expect(throws: SourceError.self) { try reader.next(index: 0) }
        #expect(error?.kind == .damaged)
    }

    @Test("other files, empty files, pipes and devices are refused")
    func refused() throws {
        #expect(
            reason(try folder.file("a.png", Array("hello, world".utf8)))
                == "no supported picture (PNG, JPEG, WebP, GIF, BMP, TIFF, AVIF or HEIC): "
                + "it begins with 68 65 6c 6c 6f 2c 20 77")
        #expect(reason(try folder.file("b.png", [])) == "it is empty")
        #expect(reason("/dev/zero") != nil)
        #expect(reason(try folder.pipe("pipe")) != nil)
        try write("wide.png", 1, PixelSize(8193, 1))
        #expect(reason(folder.path("wide.png"), isOverlay: true)?.contains("at most 8192 a side") == true)
    }

    // MARK: Pictures that move

    @Test("a series shows each picture for its duration, repeatedly")
    func loops() throws {
        for index in 0..<3 { try write("\(index + 7).png", UInt8(250 + index)) }
        let reader = try open("%d.png")
        #expect(try frames(reader, 0..<5) == ["0 250", "100 251", "200 252", "300 250", "400 251"])
        // A source that joins later skips to the present frame.
        #expect(reader.skip(to: .seconds(86_400)) == 864_000)
        #expect(try frames(reader, 864_001..<864_002) == ["86400100 251"])
        #expect(reader.description.layout == FrameLayout(.rgba, PixelSize(4, 3)))
        #expect(reader.description.isTimed && reader.description.length == .endless)
    }

    @Test("a series' last picture stays, or is the end, on request")
    func endings() throws {
        for index in 0..<2 { try write("\(index).png", UInt8(250 + index)) }
        #expect(
            try frames(try open("%d.png", ending: .holds), 0..<4) == ["0 250", "100 251", "3600100 251", "7200100 251"])
        let ends = try open("%d.png", ending: .ends)
        #expect(try frames(ends, 0..<4) == ["0 250", "100 251"])
        #expect(ends.description.length == .frames(2))
        #expect(ends.skip(to: .seconds(9)) == 1)
    }

    @Test("a WebP animation shows each picture for its own duration, or all for the requested duration")
    func animatedWebP() throws {
        let path = try folder.file("party.webp", TestWebP.animation)
        func times(_ rate: FrameRate?, _ ending: PictureEnding = .loops) throws -> [Int64] {
            let reader = try PictureReader(path: path, rate: rate, ending: ending)
            return try (0..<5).compactMap { try reader.next(index: $0)?.info.timestamp.nanoseconds }.map {
                $0 / 1_000_000
            }
        }
        // The durations are 40, 250 and 100 ms.
        #expect(try times(nil) == [0, 40, 290, 390, 430])
        #expect(try times(nil, .ends) == [0, 40, 290])
        #expect(try times(FrameRate(10)) == [0, 100, 200, 300, 400])
        let reader = try PictureReader(path: path)
        #expect(reader.description.layout == FrameLayout(.rgba, PixelSize(4, 2)))
        #expect(reader.description.rate == FrameRate(300, per: 39))
        for (milliseconds, index) in [(0, 0), (39, 0), (40, 1), (389, 2), (390, 3), (390 * 1000 + 45, 3001)] {
            #expect(reader.skip(to: .milliseconds(milliseconds)) == index)
        }
    }

    @Test("an animation too large to be kept is decoded again in each loop")
    func large() throws {
        // Three pictures of 2400 x 2400 pixels take 69 MB, too much to be kept.
        var bytes = TestWebP.animation
        (bytes[24], bytes[25], bytes[27], bytes[28]) = (0x5f, 0x09, 0x5f, 0x09)
        let reader = try PictureReader(path: try folder.file("a.webp", bytes))
        #expect(reader.description.layout.size == PixelSize(2400, 2400))
        let sums = try (0..<6).map { index in
            try #require(try reader.next(index: index)).withPlane(0) { bytes, _ in
                (0..<2 * 2400 * 4).reduce(0) {
                    $0 &* 31 &+ Int(unsafe bytes.unsafeLoad(fromByteOffset: $1, as: UInt8.self))
                }
            }
        }
        #expect(Array(sums[..<3]) == Array(sums[3...]) && Set(sums).count == 3)
    }

    @Test("a folder's pictures are sorted by name, with numbers by value")
    func folders() throws {
        for (index, name) in ["a10.png", "a9.png", "b.PNG", "c.jpeg"].enumerated() {
            try write(name, UInt8(250 + index))
        }
        _ = try folder.file("notes.txt", [1])
        #expect(
            try PictureSequence.files(folder.path("")).map { $0.split(separator: "/").last } == [
                "a9.png", "a10.png", "b.PNG", "c.jpeg",
            ])
    }

    @Test("files of another size are frames of another size")
    func sizes() throws {
        try write("1.png", 1)
        try write("2.png", 2, PixelSize(5, 3))
        let reader = try open("%d.png")
        #expect(try (0..<4).map { try reader.next(index: $0)?.size.width } == [4, 5, 4, 5])
    }

    @Test("an error in a folder's files says what is wrong")
    func mistakes() throws {
        #expect(reason(folder.path("%03d.png")) == "no file has a name of this form")
        try write("001.png", 1)
        try write("003.png", 1)
        #expect(reason(folder.path("%03d.png")) == "number 002 is missing between 001 and 003")
        #expect(reason(folder.path("none/%d.png")) == "No such file or directory")
        #expect(reason(try folder.file("a.webp", Array(TestWebP.animation.dropLast(60)))) == "it is damaged or cut off")
        _ = try folder.file("002.png", [0])
        #expect(reason(folder.path("%03d.png"))?.hasPrefix("no supported picture") == true)
    }

    // MARK: Formats, in files made by FFmpeg

    /// Makes a file with FFmpeg, with ten pictures for each second unless `options` limits the pictures.
    ///
    /// - Returns: The path of the file.
    private func made(_ name: String, _ options: [String] = [], seconds: Double = 0.2) throws -> String {
        try runToEnd(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10", "-t", "\(seconds)"]
                + options + [folder.path(name)])
        return folder.path(name)
    }

    /// The first picture of a file, as FFmpeg decodes it to RGB.
    private func reference(_ path: String) throws -> [UInt8] {
        let raw = folder.path("reference.rgb")
        try runToEnd([
            "ffmpeg", "-v", "error", "-y", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", raw,
        ])
        return Array(try Data(contentsOf: URL(fileURLWithPath: raw)))
    }

    private func difference(_ frame: Frame, _ reference: [UInt8]) -> Int {
        let pixels = samples(frame)
        let opaque = pixels.indices.filter { $0 % 4 != 3 }.map { Int(pixels[$0]) }
        return zip(opaque, reference).map { abs($0 - Int($1)) }.max() ?? 255
    }

    @Test(
        "still pictures of each format equal FFmpeg's",
        arguments: [
            ("a.bmp", [], 0), ("a.tiff", ["-pix_fmt", "rgb24"], 0),
            ("lzw.tif", ["-pix_fmt", "rgb24", "-compression_algo", "lzw"], 0),
            ("deep.png", ["-pix_fmt", "rgb48be"], 1), ("palette.png", ["-pix_fmt", "pal8"], 0),
            ("gray.tiff", ["-pix_fmt", "gray"], 0), ("a.gif", [], 0), ("16.bmp", ["-pix_fmt", "rgb565le"], 8),
            ("a.avif", ["-c:v", "libaom-av1", "-still-picture", "1", "-pix_fmt", "yuv444p"], 6),
        ])
    func kinds(_ name: String, _ options: [String], _ tolerance: Int) throws {
        let path = try made(name, ["-frames:v", "1"] + options)
        let reader = try PictureReader(path: path)
        #expect(reader.description.isStill)
        let frame = try #require(try reader.next(index: 0))
        #expect(frame.size == PixelSize(64, 48))
        #expect(difference(frame, try reference(path)) <= tolerance)
    }

    @Test("HEIC pictures equal the encoded ones, with the orientation of their file")
    func heic() throws {
        let png = try made("a.png", ["-frames:v", "1"])
        try runToEnd(["heif-enc", "-q", "95", png, "-o", folder.path("a.heic")])
        let frame = try #require(try PictureReader(path: folder.path("a.heic")).next(index: 0))
        #expect(frame.size == PixelSize(64, 48))
        let mean =
            zip(samples(frame).enumerated().filter { $0.offset % 4 != 3 }, try reference(png))
            .reduce(0) { $0 + abs(Int($1.0.element) - Int($1.1)) } / (64 * 48 * 3)
        #expect(mean <= 8)
    }

    @Test(
        "animations of each format have FFmpeg's pictures and timestamps",
        arguments: [
            ("a.gif", [], 0), ("a.apng", ["-c:v", "apng", "-plays", "0"], 0),
            ("b.png", ["-c:v", "apng", "-f", "apng"], 0),
            ("a.webp", ["-pix_fmt", "bgra", "-c:v", "libwebp_anim", "-lossless", "1"], 0),
        ])
    func animations(_ name: String, _ options: [String], _ tolerance: Int) throws {
        // FFmpeg's conversions of Y'CbCr to `bgra` and to `rgb24` differ, on arm64 by three steps.
        let colors = ["-vf", "format=rgb24"]
        let path = try made(name, colors + options, seconds: 1)
        let reader = try PictureReader(path: path)
        #expect(!reader.description.isStill)
        let raw = folder.path("all.rgb")
        // FFmpeg does not read animated WebP, so a PNG with the same pictures is the reference.
        let original = name == "a.webp" ? try made("a.apng", colors + ["-c:v", "apng"], seconds: 1) : path
        try runToEnd([
            "ffmpeg", "-v", "error", "-y", "-i", original, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
            "rgb24",
            raw,
        ])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: raw)))
        let size = 64 * 48 * 3
        #expect(bytes.count == 10 * size)
        for index in 0..<12 {
            let frame = try #require(try reader.next(index: index))
            #expect(frame.info.timestamp.nanoseconds == Int64(index) * 100_000_000)
            let part = index % 10 * size
            #expect(difference(frame, Array(bytes[part..<part + size])) <= tolerance, "\(index)")
        }
    }

    @Test("an animated PNG's frames are blended and disposed of as its file says")
    func partsOfPNG() throws {
        // FFmpeg writes only the changed rectangle of each frame.
        let box = "between(X,N*4,N*4+7)*between(Y,8,15)"
        let colours = "geq=r='if(\(box),0,255)':g=0:b='if(\(box),255,0)':a='if(\(box),255,128)'"
        try runToEnd([
            "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=black:s=32x32:r=10,format=rgba,\(colours)", "-t",
            "0.5", "-c:v", "apng", folder.path("a.apng"),
        ])
        let reader = try PictureReader(path: folder.path("a.apng"))
        for index in 0..<5 {
            let frame = try #require(try reader.next(index: index))
            let pixels = samples(frame)
            func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[(y * 32 + x) * 4..<(y * 32 + x) * 4 + 4]) }
            #expect(pixel(index * 4 + 1, 10) == [0, 0, 255, 255], "\(index)")
            // The pixel is red with an alpha of one half, premultiplied.
            func isHalfRed(_ pixel: [UInt8]) -> Bool {
                zip(pixel, [128, 0, 0, 128]).allSatisfy { abs(Int($0) - $1) <= 1 }
            }
            #expect(isHalfRed(pixel(1, 30)), "\(pixel(1, 30))")
            if index > 2 { #expect(isHalfRed(pixel(1, 10))) }
        }
    }

    // MARK: Hostile files

    @Test("sizes are checked before memory is allocated")
    func hostileSizes() throws {
        // The GIF claims 65535 x 65535 pixels.
        var gif = Array(try Data(contentsOf: URL(fileURLWithPath: try made("a.gif"))))
        for byte in 6..<10 { gif[byte] = 0xff }
        #expect(reason(try folder.file("large.gif", gif))?.contains("65535x65535 is above the limit") == true)
        var bmp = Array(try Data(contentsOf: URL(fileURLWithPath: try made("a.bmp", ["-frames:v", "1"]))))
        (bmp[20], bmp[24]) = (0x7f, 0x7f)
        #expect(reason(try folder.file("large.bmp", bmp))?.contains("above the limit") == true)
        var png = Array(try Data(contentsOf: URL(fileURLWithPath: try made("a.apng", ["-c:v", "apng"]))))
        // The second frame is moved beyond the right edge of the canvas.
        let control = try #require(
            png.indices.dropFirst(100).first { Array(png[$0..<min($0 + 4, png.count)]) == Array("fcTL".utf8) })
        png[control + 4 + 12] = 0x7f
        #expect(reason(try folder.file("far.png", png))?.contains("exceeds the file's 64x48 pixels") == true)
    }

    @Test(
        "files that are truncated anywhere are errors or pictures",
        arguments: ["gif", "apng", "tiff", "bmp", "avif"])
    func truncated(_ kind: String) throws {
        let still = ["tiff", "bmp", "avif"].contains(kind)
        let options =
            (still ? ["-frames:v", "1"] : []) + (kind == "avif" ? ["-c:v", "libaom-av1", "-still-picture", "1"] : [])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: try made("a.\(kind)", options))))
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
            let path = try folder.file("cut.\(kind)", Array(bytes[..<length]))
            let error = #expect(throws: SourceError.self) {
                let reader = try PictureReader(path: path)
                for index in 0..<2 { _ = try reader.next(index: index) }
                // A cut in the trailer loses no picture.
                throw SourceError(path, "read", .damaged, "whole")
            }
            #expect(error?.kind == .damaged)
        }
    }
}
