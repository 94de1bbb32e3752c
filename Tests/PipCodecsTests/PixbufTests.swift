import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@Suite struct PixbufTests {
    /// The header of a BMP file of 70 bytes, up to the size of the pixels: 2 x 2 pixels of 24 bits.
    private static let header: [UInt8] = [
        0x42, 0x4d, 70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0,
        40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0, 0, 0, 0, 0, 16, 0, 0, 0,
    ]

    private func size(atMost area: Int) throws(CodecError) -> PixelSize {
        let bmp = Self.header + [UInt8](repeating: 0, count: 32)
        return try bmp.withBytes { bytes throws(CodecError) in
            try Pixbuf(bytes, .bmp, atMost: area, subject: "a.bmp").size
        }
    }

    @Test("a picture above a caller's limit is refused with that limit")
    func limit() throws {
        #expect(try size(atMost: 4) == PixelSize(2, 2))
        let error = #expect(throws: CodecError.self) { try size(atMost: 3) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.problem == "its size is above the limit of 16384 pixels a side and 3 pixels in all")
    }
}
