internal import Glibc
internal import PipFrames
internal import PipPlan

/// A plane that the CPU makes of a source's frame, with its tables.
struct PreparedCopy {
    /// The index of the source.
    let source: Int
    private let plane: Int
    private let conversion: PlaneConversion
    /// What becomes of each byte.
    private let bytes: [UInt8]
    /// What becomes of each pair, first byte low.
    private let pairs: [UInt16]

    init(_ copy: PlaneCopy, source: Int) {
        self.source = source
        plane = copy.plane
        conversion = copy.conversion
        switch copy.conversion {
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
        case .none, .packedLuma, .packedChroma:
            bytes = []
            pairs = []
        }
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }

    /// Writes the plane; allocates nothing.
    func run(from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout) {
        let isPacked = frame.layout.planes.count == 1
        let sourcePlane = isPacked ? 0 : plane
        let target = unsafe buffer.mutableBytes(ofPlane: plane)
        guard let from = unsafe frame.unsafePlane(sourcePlane), let to = target.baseAddress else { return }
        let own = layout.planes[plane]
        let stride = frame.layout.planes[sourcePlane].strideInBytes
        let (rows, columns) = (own.dimensions.height, own.rowBytes)
        if case .none = conversion {
            unsafe copyRows(
                from: from, stride: stride, to: to + own.offset, stride: own.strideInBytes,
                rowBytes: min(columns, frame.layout.planes[sourcePlane].rowBytes), rows: rows)
            return
        }
        // Chroma of two packed rows becomes one.
        let rowStep = if case .packedChroma = conversion { 2 } else { 1 }
        for row in 0..<rows {
            let line = unsafe from + row * rowStep * stride
            let result = unsafe (to + own.offset + row * own.strideInBytes).assumingMemoryBound(to: UInt8.self)
            unsafe convert(line.assumingMemoryBound(to: UInt8.self), stride, to: result, columns)
        }
    }

    private func convert(
        _ line: UnsafePointer<UInt8>, _ stride: Int, to result: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        switch conversion {
        case .none: return
        case .affine: unsafe bytes.withUnsafeBufferPointer { unsafe lookUp(line, in: $0, to: result, count) }
        case .affinePairs: unsafe pairs.withUnsafeBufferPointer { unsafe lookUp(line, in: $0, to: result, count) }
        case .packedLuma(let first): unsafe takeEverySecond(line + first, to: result, count)
        case .packedChroma(let places):
            // Loops of their own, so that each becomes vector instructions.
            if places == [1, 3] || places == [0, 2] {
                unsafe averageEverySecond(line + places[0], line + stride + places[0], to: result, count)
                return
            }
            for (part, place) in places.enumerated() {
                unsafe averageEveryFourth(
                    line + place, line + stride + place, to: result + part, step: places.count, count / places.count)
            }
        }
    }
}

private func lookUp(
    _ line: UnsafePointer<UInt8>, in table: UnsafeBufferPointer<UInt8>, to result: UnsafeMutablePointer<UInt8>,
    _ count: Int
) {
    for index in 0..<count { unsafe result[index] = table[Int(line[index])] }
}

private func lookUp(
    _ line: UnsafePointer<UInt8>, in table: UnsafeBufferPointer<UInt16>, to result: UnsafeMutablePointer<UInt8>,
    _ count: Int
) {
    for index in 0..<count / 2 {
        let pair = unsafe table[Int(line[2 * index]) | Int(line[2 * index + 1]) << 8]
        unsafe result[2 * index] = UInt8(truncatingIfNeeded: pair)
        unsafe result[2 * index + 1] = UInt8(truncatingIfNeeded: pair >> 8)
    }
}

private func takeEverySecond(_ line: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count { unsafe result[index] = line[2 * index] }
}

private func averageEverySecond(
    _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, _ count: Int
) {
    for index in 0..<count {
        let sum = unsafe UInt16(above[2 * index]) &+ UInt16(below[2 * index])
        unsafe result[index] = UInt8(truncatingIfNeeded: (sum &+ 1) >> 1)
    }
}

private func averageEveryFourth(
    _ above: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, step: Int,
    _ count: Int
) {
    for index in 0..<count {
        let sum = unsafe UInt16(above[4 * index]) &+ UInt16(below[4 * index])
        unsafe result[step * index] = UInt8(truncatingIfNeeded: (sum &+ 1) >> 1)
    }
}
