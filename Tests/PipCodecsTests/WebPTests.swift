import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@Suite struct WebPTests {
    private func header(_ bytes: [UInt8]) throws(CodecError) -> WebP.Header {
        try bytes.withBytes { bytes throws(CodecError) in try WebP.header(of: bytes, subject: "a.webp") }
    }

    /// Decodes the pictures, at most `count`, and returns their pixels.
    ///
    /// - Throws: ``CodecError`` for a damaged picture.
    private func decode(_ bytes: [UInt8], atMost count: Int = .max) throws(CodecError) -> [[UInt8]] {
        let header = try header(bytes)
        return try decoded(try WebPDecoder(content(bytes), header, subject: "a.webp"), header.size, atMost: count)
    }

    private static let back: [UInt8] = [100, 50, 25, 128]
    private static let dot: [UInt8] = [10, 20, 30, 255]

    @Test("alpha is multiplied into the colours, and the EXIF orientation is read")
    func still() throws {
        let header = try header(TestWebP.still)
        #expect(header.size == PixelSize(2, 1))
        #expect(header.orientation == Orientation(quarterTurns: 1))
        #expect(header.durations.count == 1)
        // Premultiplied: 200 · 128 / 255 = 100.4, 100 · 128 / 255 = 50.2, 50 · 128 / 255 = 25.1
        #expect(try decode(TestWebP.still) == [Self.back + [0, 0, 0, 0]])
    }

    @Test("a lossy picture is opaque")
    func lossy() throws {
        let pixels = try decode(TestWebP.lossy)[0]
        #expect(pixels.count == 9 * 7 * 4)
        for (index, value) in pixels.enumerated() {
            #expect(abs(Int(value) - [200, 100, 50, 255][index % 4]) <= 3)
        }
    }

    @Test("an animation's pictures are whole, each drawn over the ones before it")
    func animation() throws {
        let header = try header(TestWebP.animation)
        #expect(header.size == PixelSize(4, 2))
        // A duration of zero becomes a tenth of a second, as in browsers.
        #expect(header.durations == [.milliseconds(40), .milliseconds(250), .milliseconds(100)])
        let first = Array(repeating: Self.back, count: 8)
        var second = first
        second[5] = Self.dot
        var third = second
        third[0] = [0, 0, 0, 0]
        #expect(try decode(TestWebP.animation) == [first, second, third].map { $0.flatMap { $0 } })
        #expect(try decode(TestWebP.animation, atMost: 2).count == 2)
    }

    @Test("a truncated file is an error", arguments: [TestWebP.still, TestWebP.animation, TestWebP.lossy])
    func truncated(bytes: [UInt8]) {
        for length in 0..<bytes.count - 8 {
            #expect(throws: CodecError.self) { try decode(Array(bytes.prefix(length))) }
        }
    }

    @Test("row 44: a canvas above the limits is refused before memory is taken")
    func tooLarge() {
        var bytes = TestWebP.animation
        for offset in [24, 25, 27, 28] { bytes[offset] = 0x7f }
        let error = #expect(throws: CodecError.self) { try header(bytes) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.problem.hasPrefix("its size of 32640x32640 is above the limit") == true)
    }

    @Test("an animation of more pictures than are shown is refused")
    func tooMany() {
        // The file repeats the animation's first picture. Bytes 4 to 7 hold the file's length, less 8.
        let (head, picture) = (Array(TestWebP.animation[..<44]), Array(TestWebP.animation[44..<94]))
        func file(_ count: Int) -> [UInt8] {
            var bytes = head + Array(repeating: picture, count: count).flatMap { $0 }
            for byte in 0..<4 { bytes[4 + byte] = UInt8(truncatingIfNeeded: (bytes.count - 8) >> (8 * byte)) }
            return bytes
        }
        #expect(throws: Never.self) { _ = try header(file(513)) }
        let error = #expect(throws: CodecError.self) { try header(file(100_001)) }
        #expect(error?.problem == "it has more than 100000 pictures")
    }

    @Test("the message names the file and its fault")
    func message() {
        let error = #expect(throws: CodecError.self) { try header([0xff, 0xd8]) }
        #expect(error?.description == "a.webp: not a WebP file: it begins with ff d8 (at byte 0)")
    }

    @Test("row 44: broken files are refused or decoded, and never crash the decoder", arguments: 1...3)
    func broken(seed: Int) {
        let originals = [TestWebP.still, TestWebP.animation, TestWebP.lossy]
        for bytes in brokenFiles(originals, seed: seed, from: 12) {
            // A picture that claims a large size is not decoded: its header is only parsed.
            guard let header = try? header(bytes), header.size.area < 1 << 16 else { continue }
            _ = try? decode(bytes)
        }
    }
}
