/// The contents of a WAV file's `fmt ` chunk.
///
/// Source: Microsoft, "Multimedia Programming Interface and Data Specifications 1.0", and `WAVEFORMATEXTENSIBLE`.
package struct WAVFormat: Hashable, Sendable {
    package let format: AudioFormat
    package let coding: SampleCoding

    /// The longest accepted `fmt ` chunk.
    ///
    /// Units: bytes.
    package static let longestChunk = 4096

    private static let pcm = 1
    private static let float = 3
    private static let extensible = 0xfffe
    /// The last 14 bytes of GUIDs such as `KSDATAFORMAT_SUBTYPE_PCM`, which begin with a format number.
    static let guidTail: [UInt8] = [0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]

    package init(format: AudioFormat, coding: SampleCoding) {
        self.format = format
        self.coding = coding
    }

    /// The number of bytes in a frame, which has one sample of each channel.
    package var bytesPerFrame: Int { format.channels * coding.bytesPerSample }

    /// Parses the contents of a `fmt ` chunk.
    ///
    /// - Parameters:
    ///   - chunk: The contents, without the chunk's header.
    ///   - subject: The file's name, for messages.
    /// - Throws: ``SoundError`` when the chunk is damaged, or of an unsupported kind.
    package init(_ chunk: [UInt8], subject: String) throws(SoundError) {
        func refusal(_ reason: String) -> SoundError {
            SoundError(.unsupported, subject: subject, operation: "read its format", reason: reason)
        }
        guard chunk.count >= 16 else {
            throw refusal("its fmt chunk has \(chunk.count) bytes, but needs 16")
        }
        var tag = chunk.littleEndian(2, at: 0)
        let (channels, rate) = (chunk.littleEndian(2, at: 2), chunk.littleEndian(4, at: 4))
        let (frameBytes, bits) = (chunk.littleEndian(2, at: 12), chunk.littleEndian(2, at: 14))
        if tag == Self.extensible {
            guard chunk.count >= 40, Array(chunk[26..<40]) == Self.guidTail else {
                throw refusal("its extended fmt chunk is too short, or names neither PCM nor float")
            }
            tag = chunk.littleEndian(2, at: 24)
        }
        guard let coding = Self.coding(tag: tag, bits: bits) else {
            throw refusal(
                "it holds \(Self.name(of: tag)) with \(bits) bits a sample; use PCM of 8, 16, 24 or 32 bits, or "
                    + "float of 32 or 64 bits")
        }
        do throws(SoundError) {
            format = try AudioFormat(rate: rate, channels: channels)
        } catch {
            throw refusal("it has \(error.subject), and \(error.reason)")
        }
        self.coding = coding
        guard frameBytes == bytesPerFrame else {
            throw refusal(
                "its frames have \(frameBytes) bytes, but \(channels) samples of \(coding) are \(bytesPerFrame)")
        }
    }

    private static func coding(tag: Int, bits: Int) -> SampleCoding? {
        switch (tag, bits) {
        case (pcm, 8): .unsigned8
        case (pcm, 16): .signed16
        case (pcm, 24): .signed24
        case (pcm, 32): .signed32
        case (float, 32): .float32
        case (float, 64): .float64
        default: nil
        }
    }

    private static func name(of tag: Int) -> String {
        switch tag {
        case pcm: "PCM"
        case float: "float"
        case 2, 0x11: "ADPCM"
        case 6: "A-law"
        case 7: "µ-law"
        case 0x55: "MP3"
        default: "the codec \(tag)"
        }
    }
}

extension [UInt8] {
    /// Reads a little-endian number of `bytes` bytes.
    ///
    /// The array must have these bytes.
    package func littleEndian(_ bytes: Int, at offset: Int) -> Int {
        var value: UInt64 = 0
        for index in (0..<bytes).reversed() { value = value << 8 | UInt64(self[offset + index]) }
        return Int(clamping: value)
    }
}
