import PipFrames
import PipSources
import Testing

@testable import PipPatterns

@Suite struct PatternReaderTests {
    /// A frame of a pattern, drawn into memory that held other bytes.
    private func frame(_ options: PatternOptions, _ index: Int, over garbage: UInt8 = 0xa5) throws -> Frame {
        let reader = try PatternReader(options)
        let buffer = FrameBuffer(reader.description.layout)
        _ = unsafe buffer.mutableBytes(ofPlane: 0).initializeMemory(as: UInt8.self, repeating: garbage)
        #expect(try reader.read(into: buffer, index: index))
        return Frame(info: reader.description.info(ofFrame: index), buffer: buffer)
    }

    /// The codes of Y, Cb and Cr for a luma pixel.
    private func codes(_ frame: Frame, _ x: Int, _ y: Int) -> [UInt8] {
        let isPlanar = frame.layout.format == .i420
        func sample(_ plane: Int, _ byte: Int, _ row: Int) -> UInt8 {
            frame.withPlane(plane) { bytes, layout in
                unsafe bytes.unsafeLoad(fromByteOffset: row * layout.strideInBytes + byte, as: UInt8.self)
            }
        }
        return [
            sample(0, x, y), isPlanar ? sample(1, x / 2, y / 2) : sample(1, x / 2 * 2, y / 2),
            isPlanar ? sample(2, x / 2, y / 2) : sample(1, x / 2 * 2 + 1, y / 2),
        ]
    }

    /// The codes of Y, Cb and Cr for all pixels, row by row, in the same order for NV12 and I420.
    private func allCodes(_ frame: Frame) -> [[UInt8]] {
        (0..<frame.size.height).flatMap { y in (0..<frame.size.width).map { codes(frame, $0, y) } }
    }

    /// The codes of the colour bars: white, then yellow, cyan, green, magenta, red and blue at 75 %, then black.
    ///
    /// Source: `ffmpeg -f lavfi -i smptebars=s=640x480` (BT.601) and `smptehdbars=s=1280x720` (BT.709), `-pix_fmt
    /// yuv444p -f rawvideo`.
    private static let bt601: [[UInt8]] = [
        [235, 128, 128], [162, 44, 142], [131, 156, 44], [112, 72, 58], [84, 184, 198], [65, 100, 212], [35, 212, 114],
        [16, 128, 128],
    ]
    private static let bt709: [[UInt8]] = [
        [235, 128, 128], [168, 44, 136], [145, 147, 44], [133, 63, 52], [63, 193, 204], [51, 109, 212], [28, 212, 120],
        [16, 128, 128],
    ]

    @Test(
        "the bars have the codes of the standard's tables, to the edges of odd sizes",
        arguments: [PixelSize(640, 480), PixelSize(321, 181), PixelSize(1280, 720)], [PixelFormat.i420, .nv12])
    func bars(size: PixelSize, format: PixelFormat) throws {
        let frame = try frame(PatternOptions(.bars, size: size, format: format), 0)
        let expected = size.height > 576 ? Self.bt709 : Self.bt601
        for bar in 0..<8 {
            #expect(codes(frame, size.width * (2 * bar + 1) / 16, 0) == expected[bar])
        }
        #expect(codes(frame, 0, size.height - 1) == expected[0])
        #expect(codes(frame, size.width - 1, size.height - 1) == expected[7])
        #expect(frame.info.colorimetry == (size.height > 576 ? .bt709 : .bt601))
    }

    @Test(
        "a digit lights its segments of a seven-segment display",
        arguments: zip(
            0...9,
            [
                "abcefg", "cf", "acdeg", "acdfg", "bcdf", "abdfg", "abdefg", "acf", "abcdefg", "abcdfg",
            ]))
    func digits(digit: Int, lit: String) throws {
        let layout = FrameLayout(.i420, PixelSize(60, 100))
        let buffer = FrameBuffer(layout)
        let canvas = try #require(PatternCanvas(buffer, layout))
        canvas.rectangle(PatternColor(luma: 0), 0, 0, 60, 100)
        Digits(color: PatternColor(luma: 255), height: 100).draw(digit, count: 1, on: canvas, left: 0, top: 0)
        // The points go from top to bottom, left before right. Each point lies in one segment only.
        let points = [
            ("a", 30, 4), ("b", 4, 28), ("c", 56, 28), ("d", 30, 50), ("e", 4, 72), ("f", 56, 72), ("g", 30, 96),
        ]
        let found = points.filter { unsafe buffer.bytes(ofPlane: 0)[60 * $0.2 + $0.1] == 255 }.map(\.0).joined()
        #expect(found == lit)
    }

    @Test("the bars show the frame number")
    func counter() throws {
        let options = PatternOptions(.bars, size: PixelSize(320, 180))
        let frames = try [7, 8, 1_000_007].map { try frame(options, $0) }
        #expect(allCodes(frames[0]) != allCodes(frames[1]))
        // The pattern shows only the last six digits.
        #expect(allCodes(frames[0]) == allCodes(frames[2]))
    }

    @Test("the ramp has every code of luma and chroma")
    func ramp() throws {
        let frame = try frame(PatternOptions(.ramp, size: PixelSize(1024, 60)), 0)
        #expect(Set((0..<1024).map { codes(frame, $0, 0)[0] }).count == 256)
        #expect(Set((0..<1024).map { codes(frame, $0, 44)[1] }).count == 256)
        #expect(Set((0..<1024).map { codes(frame, $0, 56)[2] }).count == 256)
        #expect(Set((0..<1024).map { codes(frame, $0, 34)[0] }) == [16, 38, 60, 82, 104, 126, 147, 169, 191, 213, 235])
    }

    @Test("noise depends on the seed and the frame only")
    func noise() throws {
        let size = PixelSize(33, 17)
        let first = try allCodes(frame(PatternOptions(.noise, size: size, seed: 5), 3))
        #expect(try allCodes(frame(PatternOptions(.noise, size: size, seed: 5), 3, over: 0)) == first)
        #expect(try allCodes(frame(PatternOptions(.noise, size: size, seed: 6), 3)) != first)
        #expect(try allCodes(frame(PatternOptions(.noise, size: size, seed: 5), 4)) != first)
        let mean = Double(first.reduce(0) { $0 + Int($1[0]) }) / Double(first.count)
        #expect(abs(mean - 127.5) < 12)
    }

    @Test("the scenes move, and differ from each other", arguments: [UInt64(0), 1])
    func scenes(seed: UInt64) throws {
        let size = PixelSize(160, 90)
        let first = try allCodes(frame(PatternOptions(.scene, size: size, seed: seed), 0))
        let later = try allCodes(frame(PatternOptions(.scene, size: size, seed: seed), 20))
        let changed = zip(first, later).count { $0 != $1 }
        #expect(changed > 160 * 90 / 20)
        #expect(try allCodes(frame(PatternOptions(.scene, size: size, seed: 1 - seed), 0)) != first)
    }

    @Test(
        "every pattern is drawn at every size, and all of the memory is written",
        arguments: Pattern.allCases, [PixelSize(1, 1), PixelSize(2, 3), PixelSize(7, 5), PixelSize(97, 61)])
    func sizes(kind: Pattern, size: PixelSize) throws {
        for seed in [UInt64(0), 1] {
            let options = PatternOptions(kind, size: size, seed: seed)
            let codes = try allCodes(frame(options, 11, over: 0))
            #expect(try allCodes(frame(options, 11, over: 255)) == codes)
        }
    }

    @Test("NV12 and I420 hold the same picture", arguments: [Pattern.bars, .scene, .ramp], [UInt64(0), 1])
    func formats(kind: Pattern, seed: UInt64) throws {
        let size = PixelSize(97, 61)
        let planar = try frame(PatternOptions(kind, size: size, format: .i420, seed: seed), 9)
        let semiplanar = try frame(PatternOptions(kind, size: size, format: .nv12, seed: seed), 9)
        #expect(allCodes(planar) == allCodes(semiplanar))
    }

    @Test("a pattern ends after the frames that were asked for")
    func count() throws {
        var options = PatternOptions(.noise, size: PixelSize(4, 4), rate: FrameRate(10))
        #expect(try PatternReader(options).description.length == .endless)
        options.frames = 2
        let reader = try PatternReader(options)
        let buffer = FrameBuffer(reader.description.layout)
        #expect(reader.description.frameCount == 2)
        #expect(reader.description.name == "pattern:noise")
        #expect(try reader.read(into: buffer, index: 1))
        #expect(try !reader.read(into: buffer, index: 2))
    }

    @Test("other formats and absurd sizes are refused")
    func refused() {
        #expect(throws: SourceError.self) { try PatternReader(PatternOptions(.bars, format: .rgba)) }
        #expect(throws: SourceError.self) { try PatternReader(PatternOptions(.bars, size: PixelSize(0, 720))) }
        let error = #expect(throws: SourceError.self) {
            try PatternReader(PatternOptions(.scene, size: PixelSize(20000, 100)))
        }
        #expect(error?.description == "pattern:scene: cannot draw: its sides must be 1 to 16384 pixels, not 20000x100")
    }
}
