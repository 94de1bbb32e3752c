import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@Suite struct JPEGTests {
    /// Y, Cb and Cr of the colour (200, 100, 50) by BT.601, full range: Y = 0.299 R + 0.587 G + 0.114 B, and so on.
    private let expected = [124, 86, 182]

    private func decode(_ bytes: [UInt8], to format: PixelFormat? = nil, stride: Int? = nil) throws -> Frame {
        let header = try jpegHeader(bytes, "test.jpg")
        let frame = makeFrame(FrameLayout(format ?? header.fastFormat, header.size, stride: stride)) { _, _, _ in 0 }
        let completeness = try bytes.withBytes {
            try JPEGDecoder().decode($0, header, into: frame.buffer, layout: frame.layout, subject: "test.jpg")
        }
        #expect(completeness == .intact)
        return frame
    }

    private func isNear(_ bytes: [UInt8], _ value: Int) -> Bool { bytes.allSatisfy { abs(Int($0) - value) <= 3 } }

    @Test(
        "the header tells the chroma subsampling",
        arguments: [
            (TestPictures.JPEG.yuv420, JPEGHeader.Sampling.yuv420), (.yuv422, .yuv422), (.yuv444, .yuv444),
            (.yuv440, .yuv440), (.yuv411, .yuvOther), (.gray, .gray), (.progressive, .yuv420),
        ])
    func sampling(picture: TestPictures.JPEG, sampling: JPEGHeader.Sampling) throws {
        let header = try jpegHeader(picture.bytes, "test.jpg")
        #expect(header.sampling == sampling)
        #expect(header.size == PixelSize(9, 7))
        #expect(header.isProgressive == (picture == .progressive))
    }

    @Test(
        "every sampling decodes to planes of the right values, padding untouched",
        arguments: [TestPictures.JPEG.yuv420, .yuv422, .yuv444, .yuv440, .progressive])
    func planes(picture: TestPictures.JPEG) throws {
        let frame = try decode(picture.bytes, stride: 24)
        #expect(frame.layout.format == .i420)
        for plane in 0..<3 { #expect(isNear(samples(frame, plane: plane), expected[plane])) }
        #expect(hasCleanPadding(frame))
    }

    @Test(
        "every sampling decodes to RGB",
        arguments: TestPictures.JPEG.allCases.filter { $0 != .gray })
    func rgb(picture: TestPictures.JPEG) throws {
        let frame = try decode(picture.bytes, to: .rgb24, stride: 40)
        let all = samples(frame)
        for (channel, value) in [200, 100, 50].enumerated() {
            #expect(isNear(stride(from: channel, to: all.count, by: 3).map { all[$0] }, value))
        }
        #expect(hasCleanPadding(frame))
    }

    @Test("sampling factors that are larger than necessary mean the same sampling", arguments: [true, false])
    func largeFactors(is444: Bool) throws {
        let bytes = is444 ? TestPictures.ffmpeg444 : TestPictures.ffmpeg422
        #expect(try jpegHeader(bytes, "test.jpg").sampling == (is444 ? .yuv444 : .yuv422))
        let frame = try decode(bytes)
        for plane in 0..<3 { #expect(isNear(samples(frame, plane: plane), expected[plane])) }
    }

    @Test("grey decodes to luma, and to chroma planes without colour")
    func gray() throws {
        #expect(isNear(samples(try decode(TestPictures.gray)), expected[0]))
        let planes = try decode(TestPictures.gray, to: .i420)
        #expect(isNear(samples(planes), expected[0]))
        #expect(samples(planes, plane: 1).allSatisfy { $0 == 128 })
        #expect(samples(planes, plane: 2).allSatisfy { $0 == 128 })
    }

    @Test(
        "an encoded frame is decoded again, at odd sizes and with padding",
        arguments: [PixelSize(1, 1), PixelSize(16, 16), PixelSize(33, 19)])
    func roundTrip(size: PixelSize) throws {
        let frame = makeFrame(FrameLayout(.i420, size, stride: 64)) { (plane: Int, byte: Int, row: Int) -> UInt8 in
            if plane == 0 { UInt8(40 + 3 * byte + 2 * row) } else { UInt8(100 + 20 * plane) }
        }
        let output = ByteBuffer()
        try JPEGEncoder(quality: 100).encode(frame, into: output, subject: "out.jpg")
        let again = try decode(contents(output))
        for plane in 0..<3 {
            #expect(
                zip(samples(again, plane: plane), samples(frame, plane: plane)).allSatisfy {
                    abs(Int($0) - Int($1)) <= 3
                })
        }
    }

    @Test("an encoder is used again for other sizes and for grey")
    func reuse() throws {
        let encoder = try JPEGEncoder()
        let output = ByteBuffer()
        for layout in [
            FrameLayout(.i420, PixelSize(31, 9)), FrameLayout(.gray, PixelSize(5, 5)),
            FrameLayout(.i420, PixelSize(64, 64)),
        ] {
            try encoder.encode(makeFrame(layout) { _, _, _ in 99 }, into: output, subject: "out.jpg")
            let frame = try decode(contents(output))
            #expect(frame.layout.size == layout.size)
            #expect(isNear(samples(frame), 99))
        }
    }

    @Test("the EXIF orientation is read, by both byte orders", arguments: 0...9, [true, false])
    func orientation(value: Int, isLittleEndian: Bool) throws {
        let header = try jpegHeader(withEXIF(value, isLittleEndian), "test.jpg")
        // TIFF 6.0, "Orientation", names the sides of the stored row 0 and column 0. The values here are the transforms
        // for display.
        let all: [Orientation] = [
            .identity, .identity, .mirrored, Orientation(quarterTurns: 2), .flipped,
            Orientation(quarterTurns: 3, mirrored: true), Orientation(quarterTurns: 1),
            Orientation(quarterTurns: 1, mirrored: true), Orientation(quarterTurns: 3), .identity,
        ]
        #expect(header.orientation == all[value])
    }

    @Test("orientation 6 shows the stored left column as the top row, 5 the stored picture transposed")
    func orientationMeaning() throws {
        let turned = try jpegHeader(withEXIF(6, true), "x").orientation
        #expect(turned.storedPoint(x: 1, y: 0) == (0, 0))
        let transposed = try jpegHeader(withEXIF(5, true), "x").orientation
        #expect(transposed.storedPoint(x: 0, y: 0) == (0, 0))
        #expect(transposed.storedPoint(x: 1, y: 0) == (0, 1))
    }

    private func withEXIF(_ value: Int, _ isLittleEndian: Bool) -> [UInt8] {
        func short(_ number: Int) -> [UInt8] {
            isLittleEndian ? [UInt8(number & 255), UInt8(number >> 8)] : [UInt8(number >> 8), UInt8(number & 255)]
        }
        func long(_ number: Int) -> [UInt8] {
            isLittleEndian ? short(number & 0xffff) + short(number >> 16) : short(number >> 16) + short(number & 0xffff)
        }
        let order: [UInt8] = Array((isLittleEndian ? "II" : "MM").utf8)
        let entry = short(0x0112) + short(3) + long(1) + short(value) + short(0)
        let tiff = order + short(42) + long(8) + short(1) + entry + long(0)
        let segment = Array("Exif".utf8) + [0, 0] + tiff
        let length = segment.count + 2
        return TestPictures.yuv420.prefix(2) + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)] + segment
            + TestPictures.yuv420.dropFirst(2)
    }

    @Test("a truncated picture is told apart from a whole one")
    func damaged() throws {
        let noise = makeFrame(FrameLayout(.i420, PixelSize(64, 64))) { plane, byte, row in
            UInt8(truncatingIfNeeded: (byte * 73 + row * 151 + plane * 31) * 2_654_435_761 >> 7)
        }
        let output = ByteBuffer()
        try JPEGEncoder(quality: 95).encode(noise, into: output, subject: "x")
        let all = contents(output)
        let bytes = Array(all.prefix(all.count / 2))
        let header = try jpegHeader(bytes, "x")
        let completeness = try bytes.withBytes {
            try JPEGDecoder().decode($0, header, into: noise.buffer, layout: noise.layout, subject: "x")
        }
        #expect(completeness == .damaged)
    }

    @Test("a header that is truncated anywhere is an error")
    func truncatedHeader() throws {
        let bytes = TestPictures.yuv420
        let scan = try #require(zip(bytes.indices, zip(bytes, bytes.dropFirst())).first { $1 == (0xff, 0xda) }?.0)
        for length in 0..<scan {
            #expect(throws: CodecError.self) { try jpegHeader(Array(bytes.prefix(length)), "x") }
        }
    }

    @Test("row 20: sizes, depths and kinds that are not handled are refused by name")
    func refused() throws {
        let bytes = TestPictures.yuv420
        let frame = try #require(zip(bytes.indices, zip(bytes, bytes.dropFirst())).first { $1 == (0xff, 0xc0) }?.0)
        var large = bytes
        for offset in 5...8 { large[frame + offset] = 0xff }
        #expect(throws: CodecError.self) { try jpegHeader(large, "x") }
        var empty = bytes
        (empty[frame + 5], empty[frame + 6]) = (0, 0)
        #expect(throws: CodecError.self) { try jpegHeader(empty, "x") }
        var deep = bytes
        deep[frame + 4] = 12
        #expect(throws: CodecError.self) { try jpegHeader(deep, "x") }
        var lossless = bytes
        lossless[frame + 1] = 0xc3
        let error = #expect(throws: CodecError.self) { try jpegHeader(lossless, "x") }
        #expect(error?.kind == .unsupported)
        var cmyk = bytes
        cmyk[frame + 9] = 4
        cmyk[frame + 3] += 3
        cmyk.insert(contentsOf: [4, 0x11, 0], at: frame + 19)
        let kind = #expect(throws: CodecError.self) { try jpegHeader(cmyk, "x") }
        #expect(kind?.problem == "it is a CMYK picture; save it as RGB or YCbCr")
    }

    @Test("row 20: broken pictures are refused or decoded, and never crash the decoder", arguments: 1...3)
    func fuzz(seed: Int) throws {
        let originals = TestPictures.JPEG.allCases.map(\.bytes)
        let decoder = try JPEGDecoder()
        for bytes in brokenFiles(originals, seed: seed, from: 2) {
            guard let header = try? jpegHeader(bytes, "x"), header.size.area < 1 << 16 else { continue }
            let layout = FrameLayout(header.fastFormat, header.size)
            _ = try? bytes.withBytes {
                try decoder.decode($0, header, into: FrameBuffer(layout), layout: layout, subject: "x")
            }
        }
    }
}
