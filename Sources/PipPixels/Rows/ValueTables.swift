internal import PipPlan

/// Lookup tables of the samples of a plane that the CPU writes; libyuv has tables for RGB only.
struct ValueTables {
    /// The value of each byte; empty for the identity.
    private let bytes: [UInt8]
    /// The value of each pair, first byte low; empty for the identity.
    private let pairs: [UInt16]

    init(_ values: Blit.Values) {
        switch values {
        case .affine(let scale, let offset):
            bytes = (0..<256).map { Self.byte(scale * Double($0) + offset * 255) }
            pairs = []
        case .affinePairs(let matrix, let offset):
            bytes = []
            pairs = (0..<65536).map { pair in
                let (first, second) = (Double(pair & 255), Double(pair >> 8))
                let low = Self.byte(matrix[0] * first + matrix[1] * second + offset[0] * 255)
                let high = Self.byte(matrix[2] * first + matrix[3] * second + offset[1] * 255)
                return UInt16(low) | UInt16(high) << 8
            }
        case .same, .affineOfBoth:
            // Both planes are made into pairs by ``PreparedChroma``.
            bytes = []
            pairs = []
        }
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }

    /// Changes the values of a row of samples; where they stay, nothing is written.
    func change(_ values: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        unsafe bytes.withUnsafeBufferPointer { table in
            if table.isEmpty { return }
            for index in 0..<count { unsafe out[index] = table[Int(values[index])] }
        }
        unsafe pairs.withUnsafeBufferPointer { table in
            if table.isEmpty { return }
            for index in 0..<count / 2 {
                let pair = unsafe table[Int(values[2 * index]) | Int(values[2 * index + 1]) << 8]
                unsafe out[2 * index] = UInt8(truncatingIfNeeded: pair)
                unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: pair >> 8)
            }
        }
    }

    /// Changes pairs whose halves lie in two rows.
    func changePairs(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, to low: UnsafeMutablePointer<UInt8>,
        _ high: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        unsafe pairs.withUnsafeBufferPointer { table in
            for index in 0..<count {
                let pair = unsafe table[Int(first[index]) | Int(second[index]) << 8]
                unsafe low[index] = UInt8(truncatingIfNeeded: pair)
                unsafe high[index] = UInt8(truncatingIfNeeded: pair >> 8)
            }
        }
    }
}
