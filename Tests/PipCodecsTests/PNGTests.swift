import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@Suite struct PNGTests {
    private func decode(_ bytes: [UInt8], stride: Int? = nil) throws -> Frame {
        let header = try pngHeader(bytes, "test.png")
        let frame = makeFrame(FrameLayout(.rgba, header.size, stride: stride)) { _, _, _ in 0x55 }
        try bytes.withBytes { try PNG.decode($0, into: frame.buffer, layout: frame.layout, subject: "test.png") }
        return frame
    }

    @Test("RGB of 8 bits becomes opaque RGBA")
    func rgb() throws {
        #expect(
            try samples(decode(TestPictures.rgb)) == [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 255])
    }

    @Test("alpha is multiplied into the colours")
    func alpha() throws {
        // Premultiplied: 200 · 128 / 255 = 100.4, 100 · 128 / 255 = 50.2, 50 · 128 / 255 = 25.1
        #expect(try samples(decode(TestPictures.rgba)) == [100, 50, 25, 128, 0, 0, 0, 0])
    }

    @Test("grey of 16 bits keeps its high byte")
    func gray16() throws {
        #expect(try samples(decode(TestPictures.gray16)) == [128, 128, 128, 255, 255, 255, 255, 255])
    }

    @Test("a palette with transparency is applied")
    func palette() throws {
        #expect(try samples(decode(TestPictures.palette)) == [1, 2, 3, 255, 0, 0, 0, 0, 255, 254, 253, 255])
    }

    @Test("an interlaced picture is put in order, and padding is left alone")
    func interlaced() throws {
        let frame = try decode(TestPictures.interlaced, stride: 20)
        let expected = (0..<9).flatMap { pixel -> [UInt8] in
            let value = UInt8(10 * pixel + 5)
            return [value, value, value, 255]
        }
        #expect(samples(frame) == expected)
        #expect(hasCleanPadding(frame))
    }

    @Test(
        "an encoded frame is decoded again, at odd sizes and with padding",
        arguments: [PixelSize(1, 1), PixelSize(13, 7)])
    func roundTrip(size: PixelSize) throws {
        let frame = makeFrame(FrameLayout(.rgba, size, stride: size.width * 4 + 12)) { _, byte, row in
            byte % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: byte * 7 + row * 31)
        }
        let output = ByteBuffer()
        try PNGEncoder().encode(frame, into: output, subject: "out.png")
        let again = try decode(contents(output))
        #expect(samples(again) == samples(frame))
    }

    @Test("a picture that is not opaque keeps its alpha, within the rounding of premultiplied colours")
    func alphaRoundTrip() throws {
        let frame = makeFrame(FrameLayout(.rgba, PixelSize(16, 16))) { _, byte, row in
            let alpha = UInt8(row * 17)
            return byte % 4 == 3 ? alpha : UInt8(Int(alpha) * (byte / 4) / 15)
        }
        let output = ByteBuffer()
        try PNGEncoder().encode(frame, into: output, subject: "out.png")
        let again = try decode(contents(output))
        #expect(zip(samples(again), samples(frame)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test("RGB and grey frames are written as they are", arguments: [PixelFormat.rgb24, .gray])
    func otherFormats(format: PixelFormat) throws {
        let frame = makeFrame(FrameLayout(format, PixelSize(5, 3), stride: 16)) { _, byte, row in UInt8(byte + 40 * row)
        }
        let output = ByteBuffer()
        try PNGEncoder().encode(frame, into: output, subject: "out.png")
        let again = try decode(contents(output))
        let bytes = samples(frame)
        let expected = (0..<15).flatMap { pixel -> [UInt8] in
            format == .gray
                ? [bytes[pixel], bytes[pixel], bytes[pixel], 255]
                : [bytes[3 * pixel], bytes[3 * pixel + 1], bytes[3 * pixel + 2], 255]
        }
        #expect(samples(again) == expected)
    }

    @Test("a frame that a PNG file cannot hold is refused")
    func refusedFormat() throws {
        let frame = makeFrame(FrameLayout(.i420, PixelSize(2, 2))) { _, _, _ in 0 }
        let error = #expect(throws: CodecError.self) {
            try PNGEncoder().encode(frame, into: ByteBuffer(), subject: "out.png")
        }
        #expect(error?.kind == .unsupported)
    }

    @Test(
        "row 44: a size above the limits is refused before memory is taken",
        arguments: [(16385, 1), (16384, 16384), (0, 4)])
    func sizes(width: Int, height: Int) {
        var bytes = TestPictures.rgb
        for byte in 0..<4 {
            bytes[16 + byte] = UInt8(truncatingIfNeeded: width >> (24 - 8 * byte))
            bytes[20 + byte] = UInt8(truncatingIfNeeded: height >> (24 - 8 * byte))
        }
        let error = #expect(throws: CodecError.self) { try pngHeader(bytes, "big.png") }
        #expect(error?.kind == (width == 0 ? .damaged : .tooLarge))
        #expect(error?.position == .byte(16))
    }

    @Test(
        "a file that is cut off anywhere before its last checksum is an error",
        arguments: 0..<TestPictures.rgb.count - 4)
    func truncated(length: Int) {
        #expect(throws: CodecError.self) { try decode(Array(TestPictures.rgb.prefix(length))) }
    }

    @Test("the message names the file, the fault and the place")
    func message() {
        let error = #expect(throws: CodecError.self) { try pngHeader([0xff, 0xd8], "a.png") }
        #expect(error?.description == "a.png: not a PNG file: it begins with ff d8 (at byte 0)")
    }

    @Test("row 44: broken files are refused or decoded, and never crash the decoder", arguments: 1...3)
    func fuzz(seed: Int) {
        let originals = [
            TestPictures.rgb, TestPictures.rgba, TestPictures.gray16, TestPictures.palette, TestPictures.interlaced,
        ]
        for bytes in brokenFiles(originals, seed: seed, from: 8) {
            // A picture that claims a large size is not decoded: its header is only parsed.
            guard let header = try? pngHeader(bytes, "x"), header.size.area < 1 << 16 else { continue }
            _ = try? decode(bytes)
        }
    }
}
