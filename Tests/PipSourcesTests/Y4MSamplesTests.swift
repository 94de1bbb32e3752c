import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

/// Tests Y4M streams whose samples need conversion.
@Suite struct Y4MSamplesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The samples of the frames of a stream of 3 by 2 pixels.
    private func read(_ tags: String, _ frames: [[UInt8]], stride: Int? = nil) throws -> [[UInt8]] {
        let header = Array("YUV4MPEG2 W3 H2 F25:1 Ip \(tags)\n".utf8)
        let path = try folder.file("a.y4m", frames.reduce(header) { $0 + "FRAME\n".utf8 + $1 })
        let reader = try Y4MReader(path: path, stride: stride)
        #expect(reader.description.frameCount == frames.count)
        return try frames.indices.map { try #require(try next(reader, index: $0)) }
    }

    /// 16-bit samples as little-endian bytes.
    private func wide(_ samples: [Int]) -> [UInt8] { samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }

    @Test("4:2:2 becomes NV16, its planes unchanged", arguments: [nil, 16])
    func yuv422(stride: Int?) throws {
        let frame: [UInt8] = [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 21, 22, 23, 24]
        let delivered: [UInt8] = [1, 2, 3, 4, 5, 6, 11, 21, 12, 22, 13, 23, 14, 24]
        #expect(try read("C422", [frame, frame], stride: stride) == [delivered, delivered])
    }

    @Test("4:1:1 becomes NV16, with interpolated chroma between two samples")
    func yuv411() throws {
        let header = Array("YUV4MPEG2 W7 H1 F25:1 Ip C411\nFRAME\n".utf8)
        let path = try folder.file("a.y4m", header + [1, 2, 3, 4, 5, 6, 7, 10, 20, 110, 130])
        let frame = try next(try Y4MReader(path: path), index: 0)
        #expect(frame == [1, 2, 3, 4, 5, 6, 7, 10, 110, 15, 120, 20, 130, 20, 130])
    }

    @Test("samples of more than eight bits are rounded to eight, and white stays white", arguments: 9...16)
    func deep(bits: Int) throws {
        let unit = 1 << (bits - 8)
        let samples = [0, unit, unit + unit / 2, 2 * unit - 1, 235 * unit, (1 << bits) - 1]
        let luma: [UInt8] = [0, 1, 2, 2, 235, 255]
        #expect(try read("Cmono\(bits)", [wide(samples)]) == [luma])
        let chroma = [128 * unit, 64 * unit]
        #expect(try read("C420p\(bits)", [wide(samples + chroma + chroma.reversed())]) == [luma + [128, 64, 64, 128]])
        let rows = chroma + chroma
        #expect(
            try read("C422p\(bits)", [wide(samples + rows + rows)]) == [luma + [128, 128, 64, 64, 128, 128, 64, 64]])
    }

    @Test("samples above the declared depth are white")
    func beyond() throws {
        #expect(try read("Cmono10", [wide([1024, 4095, 65535, 1023, 512, 0])]) == [[255, 255, 255, 255, 128, 0]])
    }

    @Test("the reduction to eight bits is reported, beside the fields of interlaced pictures")
    func notes() throws {
        func note(_ tags: String) throws -> String? {
            try Y4MReader(path: try folder.file("a.y4m", Array("YUV4MPEG2 W3 H2 \(tags)\n".utf8))).description.note
        }
        #expect(try note("C422") == nil)
        #expect(try note("C444p12") == "12 bits a sample, shown with 8")
        #expect(
            try note("It C420p10") == "10 bits a sample, shown with 8; interlaced, shown without deinterlacing")
    }

    /// Converts Y'CbCr to R'G'B' in 8 bits, by the weights of BT.601.
    private func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8, isFull: Bool) -> [Double] {
        let luma = isFull ? Double(y) : (Double(y) - 16) * 255 / 219
        let scale = isFull ? 1 : 255.0 / 224
        let (blue, red) = ((Double(cb) - 128) * scale, (Double(cr) - 128) * scale)
        let (r, b) = (luma + 1.402 * red, luma + 1.772 * blue)
        return [r, (luma - 0.299 * r - 0.114 * b) / 0.587, b].map { min(max($0, 0), 255) }
    }

    @Test("4:4:4 becomes RGB with separate chroma for every pixel", arguments: ["FULL", "LIMITED"], [8, 10])
    func yuv444(range: String, bits: Int) throws {
        let (y, cb, cr): ([UInt8], [UInt8], [UInt8]) = (
            [81, 145, 41, 180, 16, 126], [90, 54, 240, 128, 128, 60], [240, 34, 110, 128, 128, 200]
        )
        let samples = y + cb + cr
        let frame = bits == 8 ? samples : wide(samples.map { Int($0) << (bits - 8) })
        let bytes = try read("C444\(bits == 8 ? "" : "p\(bits)") XCOLORRANGE=\(range)", [frame])[0]
        for pixel in 0..<6 {
            let expected = rgb(y[pixel], cb[pixel], cr[pixel], isFull: range == "FULL")
            let found = [2, 1, 0].map { Double(bytes[4 * pixel + $0]) }
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(pixel): \(found), not \(expected)")
        }
    }

    @Test("straight alpha becomes premultiplied")
    func alpha() throws {
        let alpha: [UInt8] = [0, 64, 128, 192, 255, 255]
        let grey = [UInt8](repeating: 128, count: 12)
        let frame = [235, 235, 235, 126, 235, 16] + grey + alpha
        let bytes = try read("C444alpha XCOLORRANGE=LIMITED", [frame])[0]
        for (pixel, value) in [0, 64, 128, 96, 255, 0].enumerated() {
            #expect(bytes[4 * pixel + 3] == alpha[pixel])
            #expect((0..<3).allSatisfy { abs(Int(bytes[4 * pixel + $0]) - value) <= 1 }, "\(pixel): \(bytes)")
        }
    }

    @Test(
        "a truncated frame is an error, whatever its samples",
        arguments: [("422", 14), ("444alpha", 24), ("420p10", 20), ("mono16", 12), ("411", 10)])
    func cutOff(tag: String, bytes: Int) throws {
        let start = Array("YUV4MPEG2 W3 H2 F25:1 C\(tag)\nFRAME\n".utf8)
        for count in [0, 1, bytes - 1] {
            let reader = try Y4MReader(
                path: try folder.file("a.y4m", start + [UInt8](repeating: 9, count: count)))
            #expect(reader.description.frameCount == nil)
            let error = #expect(throws: SourceError.self) { try next(reader, index: 0) }
            #expect(error?.reason == "the frame is cut off after \(count) of \(bytes) bytes")
        }
    }

    @Test("frames are skipped, and a loop begins, by the frame's size in the file")
    func skip() throws {
        let header = Array("YUV4MPEG2 W3 H2 F25:1 Ip Cmono10\n".utf8)
        let frames = (0..<3).map { "FRAME\n".utf8 + wide([Int](repeating: 4 * $0, count: 6)) }
        let reader = try Y4MReader(path: try folder.file("a.y4m", header + frames.joined()), loops: true)
        #expect(try reader.skip(to: 2) == 2)
        #expect(try (2..<5).map { try next(reader, index: $0)?.first } == [2, 0, 1])
    }
}
