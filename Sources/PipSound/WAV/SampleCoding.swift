/// The encoding of samples in a WAV file, in little-endian order.
package enum SampleCoding: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case unsigned8, signed16, signed24, signed32, float32, float64

    package var bytesPerSample: Int {
        switch self {
        case .unsigned8: 1
        case .signed16: 2
        case .signed24: 3
        case .signed32, .float32: 4
        case .float64: 8
        }
    }

    var isFloat: Bool { self == .float32 || self == .float64 }

    package var description: String {
        isFloat ? "\(8 * bytesPerSample)-bit float" : "\(8 * bytesPerSample)-bit PCM"
    }

    /// Decodes the sample at an offset, which `bytes` must hold whole.
    ///
    /// A float that is infinite or not a number becomes silence.
    func sample(_ bytes: RawSpan, at offset: Int) -> Float {
        switch self {
        case .unsigned8:
            return (Float(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) - 128) / 128
        case .signed16:
            let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self)
            return Float(Int16(littleEndian: value)) / 32768
        case .signed24:
            let low = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 1, as: Int16.self)
            return Float(Int32(Int16(littleEndian: high)) << 8 | Int32(low)) / 8_388_608
        case .signed32:
            let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int32.self)
            return Float(Int32(littleEndian: value)) / 2_147_483_648
        case .float32:
            let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return Self.finite(Float(bitPattern: UInt32(littleEndian: value)))
        case .float64:
            let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            return Self.finite(Float(Double(bitPattern: UInt64(littleEndian: value))))
        }
    }

    private static func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }

    /// Encodes samples as 16-bit PCM.
    ///
    /// Samples beyond full scale are clipped. A sample that is not a number becomes silence.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - bytes: The target, with two bytes for each sample.
    @unsafe package static func encode16(_ samples: [Float], into bytes: UnsafeMutableRawBufferPointer) {
        let out = unsafe bytes.assumingMemoryBound(to: Int16.self)
        unsafe samples.withUnsafeBufferPointer { samples in
            for index in samples.indices {
                let value = unsafe (samples[index] * 32768).rounded()
                let code = value.isNaN ? 0 : Int16(min(max(value, -32768), 32767))
                unsafe out[index] = code.littleEndian
            }
        }
    }
}
