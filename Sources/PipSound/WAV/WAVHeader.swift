/// The header of a WAV file that is being written: all bytes before the first sample.
///
/// A `JUNK` chunk reserves room for a `ds64` chunk, so that a file that outgrows 4 GiB becomes an RF64 file in place.
///
/// Source: EBU Tech 3306, "RF64: An extended File Format for Audio Data".
package struct WAVHeader: Hashable, Sendable {
    package let format: AudioFormat
    /// The encoding of the samples.
    package let coding: Coding
    /// The number of bytes of samples; nil for a stream without a known end.
    package var dataBytes: Int?

    /// The encodings that can be written.
    package enum Coding: String, Hashable, Sendable, CaseIterable {
        /// 16-bit PCM.
        case int16 = "s16"
        /// 32-bit float.
        case float32 = "f32"

        package var bytesPerSample: Int { self == .int16 ? 2 : 4 }
    }

    package init(_ format: AudioFormat, _ coding: Coding, dataBytes: Int?) {
        self.format = format
        self.coding = coding
        self.dataBytes = dataBytes
    }

    /// The number of bytes in a frame, which has one sample of each channel.
    package var bytesPerFrame: Int { format.channels * coding.bytesPerSample }

    /// The number of bytes in the header, which does not depend on the file's length.
    package var byteCount: Int { 12 + 36 + 8 + formatBytes + (hasFact ? 12 : 0) + 8 }

    // More than two channels need the extended form, which declares that the channels have no speaker positions.
    private var isExtensible: Bool { format.channels > 2 }
    private var formatBytes: Int { isExtensible ? 40 : hasFact ? 18 : 16 }
    // All encodings except PCM require a `fact` chunk, which holds the number of frames.
    private var hasFact: Bool { coding == .float32 }

    /// Replaces the contents of `bytes` by the header.
    ///
    /// The call allocates no memory when the array has enough capacity.
    package func write(into bytes: inout [UInt8]) {
        let riffBytes = dataBytes.map { byteCount - 8 + $0 }
        let isLong = riffBytes.map { $0 > Int(UInt32.max) - 1 } ?? false
        let short = isLong || dataBytes == nil
        bytes.removeAll(keepingCapacity: true)
        bytes.append(isLong ? "RF64" : "RIFF")
        bytes.append(short ? Int(UInt32.max) : riffBytes ?? 0, bytes: 4)
        bytes.append("WAVE")
        bytes.append(isLong ? "ds64" : "JUNK")
        bytes.append(28, bytes: 4)
        let frames = (dataBytes ?? 0) / bytesPerFrame
        bytes.append(isLong ? riffBytes ?? 0 : 0, bytes: 8)
        bytes.append(isLong ? dataBytes ?? 0 : 0, bytes: 8)
        bytes.append(isLong ? frames : 0, bytes: 8)
        bytes.append(0, bytes: 4)
        writeFormat(into: &bytes)
        if hasFact {
            bytes.append("fact")
            bytes.append(4, bytes: 4)
            bytes.append(short ? Int(UInt32.max) : frames, bytes: 4)
        }
        bytes.append("data")
        bytes.append(short ? Int(UInt32.max) : dataBytes ?? 0, bytes: 4)
    }

    private func writeFormat(into bytes: inout [UInt8]) {
        let tag = coding == .int16 ? 1 : 3
        bytes.append("fmt ")
        bytes.append(formatBytes, bytes: 4)
        bytes.append(isExtensible ? 0xfffe : tag, bytes: 2)
        bytes.append(format.channels, bytes: 2)
        bytes.append(format.rate, bytes: 4)
        bytes.append(format.rate * bytesPerFrame, bytes: 4)
        bytes.append(bytesPerFrame, bytes: 2)
        bytes.append(8 * coding.bytesPerSample, bytes: 2)
        guard formatBytes > 16 else { return }
        bytes.append(formatBytes - 18, bytes: 2)
        guard isExtensible else { return }
        bytes.append(8 * coding.bytesPerSample, bytes: 2)
        bytes.append(0, bytes: 4)
        bytes.append(tag, bytes: 2)
        for byte in WAVFormat.guidTail { bytes.append(byte) }
    }
}

extension [UInt8] {
    /// Appends the characters of a chunk's name.
    fileprivate mutating func append(_ name: StaticString) {
        for index in 0..<name.utf8CodeUnitCount { unsafe append(name.utf8Start[index]) }
    }

    /// Appends a number in little-endian order, as `bytes` bytes.
    fileprivate mutating func append(_ value: Int, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
