import Testing

@testable import PipSound

@Suite("WAV headers and samples")
struct WAVHeaderTests {
    private func bytes(_ header: WAVHeader) -> [UInt8] {
        var bytes: [UInt8] = []
        header.write(into: &bytes)
        return bytes
    }

    private func text(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    @Test("a header has its stated length, and its format is parsed again", arguments: WAVHeader.Coding.allCases, 1...8)
    func roundTrip(coding: WAVHeader.Coding, channels: Int) throws {
        let format = try AudioFormat(rate: 44_100, channels: channels)
        let header = WAVHeader(format, coding, dataBytes: 1000)
        let bytes = bytes(header)
        #expect(bytes.count == header.byteCount)
        #expect(text(bytes, 48) == "fmt ")
        let length = bytes.littleEndian(4, at: 52)
        let read = try WAVFormat(Array(bytes[56..<56 + length]), subject: "a.wav")
        #expect(read == WAVFormat(format: format, coding: coding == .int16 ? .signed16 : .float32))
        #expect(bytes.littleEndian(4, at: 4) == bytes.count - 8 + 1000)
        #expect(text(bytes, bytes.count - 8) == "data" && bytes.littleEndian(4, at: bytes.count - 4) == 1000)
    }

    @Test("beyond 4 GiB a file is RF64 with the sizes in ds64, in the same place")
    func rf64() {
        let size = 5_000_000_000
        let header = WAVHeader(.stereo, .int16, dataBytes: size)
        let bytes = bytes(header)
        #expect(bytes.count == WAVHeader(.stereo, .int16, dataBytes: 0).byteCount)
        #expect(text(bytes, 0) == "RF64" && bytes.littleEndian(4, at: 4) == 0xffff_ffff)
        #expect(text(bytes, 12) == "ds64" && bytes.littleEndian(4, at: 16) == 28)
        #expect(bytes.littleEndian(8, at: 20) == bytes.count - 8 + size)
        #expect(bytes.littleEndian(8, at: 28) == size)
        #expect(bytes.littleEndian(8, at: 36) == size / 4)
        #expect(bytes.littleEndian(4, at: bytes.count - 4) == 0xffff_ffff)
    }

    @Test("a stream has the largest possible sizes")
    func stream() {
        let bytes = bytes(WAVHeader(.mono, .float32, dataBytes: nil))
        #expect(text(bytes, 0) == "RIFF" && bytes.littleEndian(4, at: 4) == 0xffff_ffff)
        #expect(bytes.littleEndian(4, at: bytes.count - 4) == 0xffff_ffff)
    }

    @Test(
        "unsupported files are refused with the reason",
        arguments: [
            (0x11, 1, 48_000, 4, 512, "ADPCM with 4 bits"), (1, 2, 48_000, 20, 6, "PCM with 20 bits"),
            (1, 0, 48_000, 16, 0, "0 channels"), (1, 2, 1000, 16, 4, "1000 Hz"),
            (1, 2, 48_000, 16, 8, "its frames have 8 bytes, but 2 samples of 16-bit PCM are 4"),
            (0x55, 2, 48_000, 0, 1, "MP3"),
        ])
    func refusals(tag: Int, channels: Int, rate: Int, bits: Int, frame: Int, words: String) {
        func number(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let chunk =
            number(tag, 2) + number(channels, 2) + number(rate, 4) + number(0, 4) + number(frame, 2)
            + number(bits, 2)
        let error = #expect(throws: SoundError.self) { try WAVFormat(chunk, subject: "a.wav") }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(
        "samples of every coding are read",
        arguments: [
            (.unsigned8, [192, 0], [0.5, -1]), (.signed16, [0, 0x40, 0, 0x80], [0.5, -1]),
            (.signed24, [0, 0, 0x40, 0, 0, 0x80], [0.5, -1]), (.signed32, [0, 0, 0, 0x40, 0, 0, 0, 0x80], [0.5, -1]),
            (.float32, [0, 0, 0, 0x3f, 0, 0, 0xc0, 0x7f], [0.5, 0]),
            (.float64, [0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f], [0.5, 0]),
        ] as [(SampleCoding, [UInt8], [Float])])
    func decoding(coding: SampleCoding, bytes: [UInt8], samples: [Float]) {
        var block = AudioBlock(.mono, frames: 2)
        block.decode(bytes, frames: 2, coding)
        #expect(block.samples == samples)
    }

    @Test("16-bit samples are rounded, clipped at full scale, and silent where they are not numbers")
    func encoding() {
        let samples: [Float] = [0, 0.5, -1, 1, 2, -2, 1.4 / 32768, .nan, -.infinity]
        var bytes = [UInt8](repeating: 1, count: 18)
        unsafe bytes.withUnsafeMutableBytes { unsafe SampleCoding.encode16(samples, into: $0) }
        let values = (0..<9).map { Int16(truncatingIfNeeded: bytes.littleEndian(2, at: 2 * $0)) }
        #expect(values == [0, 16384, -32768, 32767, 32767, -32768, 1, 0, -32768])
    }
}
