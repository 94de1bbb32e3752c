internal import Glibc
internal import PipFrames
internal import PipPlan

/// A part of an output's plane that the CPU makes of a source's frame, with its tables and memory.
///
/// It lives on its context's thread.
final class PreparedCopy {
    /// The index of the source.
    let source: Int
    private let copy: PlaneCopy
    /// What becomes of each byte; empty where it stays.
    private let bytes: [UInt8]
    /// What becomes of each pair, first byte low; empty where they stay.
    private let pairs: [UInt16]
    /// Sums of a row's columns.
    private var sums: [UInt16] = []

    init(_ copy: PlaneCopy, source: Int) {
        self.source = source
        self.copy = copy
        switch copy.conversion.values {
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
        case .affineOfBoth(let own, let other, let offset):
            // By the own sample, low, and the other one.
            bytes = (0..<65536).map {
                Self.byte(own * Double($0 & 255) + other * Double($0 >> 8) + offset * 255)
            }
            pairs = []
        case .same:
            bytes = []
            pairs = []
        }
        let mean = copy.conversion.samples.mean
        if mean > 1 { sums = Array(repeating: 0, count: copy.byteCount / max(copy.region.height, 1) * mean * 2) }
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }

    /// Writes its part; allocates nothing.
    func run(from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout) {
        // Both chroma planes of an output may be made of one of a frame.
        let sourcePlane = min(copy.plane, frame.layout.planes.count - 1)
        let target = unsafe buffer.mutableBytes(ofPlane: copy.plane)
        guard let from = unsafe frame.unsafePlane(sourcePlane), let to = target.baseAddress else { return }
        let own = layout.planes[copy.plane]
        let stride = frame.layout.planes[sourcePlane].strideInBytes
        let count = copy.byteCount / max(copy.region.height, 1)
        let sampleBytes = count / max(copy.region.width, 1)
        let step = copy.conversion.samples.step(sampleBytes: sampleBytes)
        let first = unsafe from + copy.firstRow * step.rows * stride + copy.firstColumn * step.bytes
        let result = unsafe to + own.offset + copy.region.y * own.strideInBytes + copy.region.x * sampleBytes
        if copy.conversion == PlaneConversion() {
            unsafe copyRows(
                from: first, stride: stride, to: result, stride: own.strideInBytes, rowBytes: count,
                rows: copy.region.height)
            return
        }
        if case .affineOfBoth = copy.conversion.values {
            unsafe mixChroma(of: frame, first, stride, to: result, own.strideInBytes, count)
            return
        }
        if case .bothPlanes(let mean) = copy.conversion.samples {
            unsafe interleave(frame, mean, to: result, own.strideInBytes, count)
            return
        }
        let rowStep = step.rows * copy.conversion.samples.mean
        for row in 0..<copy.region.height {
            let line = unsafe (first + row * rowStep * stride).assumingMemoryBound(to: UInt8.self)
            let out = unsafe (result + row * own.strideInBytes).assumingMemoryBound(to: UInt8.self)
            unsafe take(line, stride, to: out, count, isPairs: sampleBytes == 2)
        }
    }

    /// Makes a chroma plane of its own samples, from `line` on, and the other chroma plane's.
    private func mixChroma(
        of frame: Frame, _ line: UnsafeRawPointer, _ stride: Int, to out: UnsafeMutableRawPointer, _ outStride: Int,
        _ count: Int
    ) {
        let other = 3 - copy.plane
        guard other < frame.layout.planes.count, let start = unsafe frame.unsafePlane(other) else { return }
        let otherStride = frame.layout.planes[other].strideInBytes
        let beside = unsafe start + copy.firstRow * otherStride + copy.firstColumn
        unsafe bytes.withUnsafeBufferPointer { table in
            for row in 0..<copy.region.height {
                unsafe lookUp(
                    (line + row * stride).assumingMemoryBound(to: UInt8.self),
                    (beside + row * otherStride).assumingMemoryBound(to: UInt8.self), in: table,
                    to: (out + row * outStride).assumingMemoryBound(to: UInt8.self), count)
            }
        }
    }

    /// Makes pairs of what a frame's second and third planes have, and changes their values.
    private func interleave(
        _ frame: Frame, _ mean: Int, to out: UnsafeMutableRawPointer, _ outStride: Int, _ count: Int
    ) {
        for part in 0...1 where part + 1 < frame.layout.planes.count {
            guard let start = unsafe frame.unsafePlane(part + 1) else { return }
            let stride = frame.layout.planes[part + 1].strideInBytes
            let first = unsafe start + copy.firstRow * stride + copy.firstColumn
            for row in 0..<copy.region.height {
                let line = unsafe (first + row * mean * stride).assumingMemoryBound(to: UInt8.self)
                let halves = unsafe (out + row * outStride).assumingMemoryBound(to: UInt8.self) + part
                if mean == 1 {
                    for index in 0..<count / 2 { unsafe halves[2 * index] = line[index] }
                    continue
                }
                unsafe withSums { sums in
                    unsafe RowMeans.add(line, stride, rows: mean, to: sums, count / 2 * mean)
                    unsafe RowMeans.divide(
                        sums, step: 1, columns: mean, rows: mean, to: halves, step: 2, count / 2)
                }
            }
        }
        guard copy.conversion.values != .same else { return }
        for row in 0..<copy.region.height {
            let line = unsafe (out + row * outStride).assumingMemoryBound(to: UInt8.self)
            unsafe change(UnsafePointer(line), to: line, count)
        }
    }

    private func withSums(_ body: (UnsafeMutablePointer<UInt16>) -> Void) {
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            if let sums = sums.baseAddress { unsafe body(sums) }
        }
    }

    /// Makes one row of samples, and changes its values.
    private func take(
        _ line: UnsafePointer<UInt8>, _ stride: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int, isPairs: Bool
    ) {
        var values = unsafe line
        switch copy.conversion.samples {
        case .plane(mean: 1): break
        case .plane(let mean):
            unsafe withSums { sums in
                unsafe RowMeans.add(line, stride, rows: mean, to: sums, count * mean)
                unsafe RowMeans.divide(sums, columns: mean, rows: mean, to: out, count, isPairs: isPairs)
            }
            unsafe values = UnsafePointer(out)
        case .everySecond(let first, mean: 1):
            unsafe PackedRows.takeEverySecond(line + first, to: out, count)
            unsafe values = UnsafePointer(out)
        case .everySecond(let first, let mean):
            unsafe withSums { unsafe PackedRows.means(line + first, stride, mean, to: out, count, sums: $0) }
            unsafe values = UnsafePointer(out)
        case .packedChroma(let places, mean: 1):
            unsafe PackedRows.average(line, line + stride, places, to: out, count)
            unsafe values = UnsafePointer(out)
        case .packedChroma(let places, let mean):
            unsafe withSums { unsafe PackedRows.means(line, stride, places, mean, to: out, count, sums: $0) }
            unsafe values = UnsafePointer(out)
        case .bothPlanes: return
        }
        unsafe change(values, to: out, count)
    }

    /// Changes the values of a row of samples.
    private func change(_ values: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        switch copy.conversion.values {
        case .same, .affineOfBoth: return
        case .affine: unsafe bytes.withUnsafeBufferPointer { unsafe lookUp(values, in: $0, to: out, count) }
        case .affinePairs: unsafe pairs.withUnsafeBufferPointer { unsafe lookUp(values, in: $0, to: out, count) }
        }
    }
}

extension PlaneConversion.Samples {
    /// From one sample to the next: rows of the source's plane, and bytes.
    fileprivate func step(sampleBytes: Int) -> (rows: Int, bytes: Int) {
        switch self {
        case .plane: (1, sampleBytes)
        case .everySecond: (1, 2)
        case .bothPlanes: (1, 1)
        case .packedChroma: (2, 4)
        }
    }
}

private func lookUp(
    _ line: UnsafePointer<UInt8>, in table: UnsafeBufferPointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
    _ count: Int
) {
    for index in 0..<count { unsafe out[index] = table[Int(line[index])] }
}

private func lookUp(
    _ line: UnsafePointer<UInt8>, _ beside: UnsafePointer<UInt8>, in table: UnsafeBufferPointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, _ count: Int
) {
    for index in 0..<count { unsafe out[index] = table[Int(line[index]) | Int(beside[index]) << 8] }
}

private func lookUp(
    _ line: UnsafePointer<UInt8>, in table: UnsafeBufferPointer<UInt16>, to out: UnsafeMutablePointer<UInt8>,
    _ count: Int
) {
    for index in 0..<count / 2 {
        let pair = unsafe table[Int(line[2 * index]) | Int(line[2 * index + 1]) << 8]
        unsafe out[2 * index] = UInt8(truncatingIfNeeded: pair)
        unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: pair >> 8)
    }
}
