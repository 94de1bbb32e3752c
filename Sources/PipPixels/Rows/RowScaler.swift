internal import PipFrames
internal import PipPlan

/// Resamples a plane with an area filter: each sample is the mean of the source area that it covers.
///
/// The scaler works row by row: it adds up the source rows that a row of the result covers, then their columns. libyuv
/// does not weight partly covered samples, which errs by up to 46 steps from 1280×720 to 426×240.
///
/// Thread: the renderer's thread.
final class RowScaler {
    private let columns: Coverage
    private let rows: Coverage
    /// The first source sample that is read in each row, and the number of bytes read.
    private let start: Int
    private let count: Int
    /// The size of the result, in samples or pairs.
    private let size: PixelSize
    private let parts: Int
    /// Memory for source rows, in 128ths of a sample.
    private let wide: RowMemory<UInt16>
    private let sums: RowMemory<UInt16>

    /// - Parameters:
    ///   - scaling: The area filter from the source to the result.
    ///   - size: The result's size, in samples or pairs of samples.
    ///   - parts: The number of interleaved components: 1, or 2 for pairs.
    init(_ scaling: Blit.Scaling, size: PixelSize, parts: Int) {
        self.size = size
        self.parts = parts
        columns = Coverage(scaling.across, count: size.width, of: scaling.source.width)
        rows = Coverage(scaling.down, count: size.height, of: scaling.source.height)
        start = columns.starts.min() ?? 0
        count = ((columns.starts.max() ?? 0) + columns.taps - start) * parts
        wide = RowMemory(rows: rows.taps, count: count)
        sums = RowMemory(rows: 1, count: count)
    }

    /// Computes all rows of the result.
    ///
    /// - Parameters:
    ///   - source: Returns a row of the source's samples; rows are requested in order.
    ///   - result: Returns the memory for a row of the result.
    func run(from source: (Int) -> UnsafePointer<UInt8>, to result: (Int) -> UnsafeMutablePointer<UInt8>) {
        var next = rows.starts.first ?? 0
        for row in 0..<size.height {
            let first = rows.starts[row]
            while next < first + rows.taps {
                if next >= first { unsafe RowKernels.widen(source(next) + start * parts, to: wide[next], count) }
                next += 1
            }
            addUp(row)
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                unsafe columns.starts.withUnsafeBufferPointer { starts in
                    unsafe shrink(to: result(row), starts, weights)
                }
            }
        }
    }

    /// Adds up the source rows that a row of the result covers, each weighted by the covered share of the row.
    private func addUp(_ row: Int) {
        let (first, taps) = (rows.starts[row], rows.taps)
        func weight(_ tap: Int) -> UInt16 { tap < taps ? rows.weights[row * taps + tap] : 0 }
        func line(_ tap: Int) -> UnsafePointer<UInt16> { unsafe UnsafePointer(wide[first + min(tap, taps - 1)]) }
        unsafe RowKernels.start(line(0), weight(0), UInt16(min(taps / 2, 31)), to: sums[0], count)
        for tap in stride(from: 1, to: taps, by: 3) {
            unsafe RowKernels.add(
                (line(tap), line(tap + 1), line(tap + 2)), (weight(tap), weight(tap + 1), weight(tap + 2)),
                to: sums[0], count)
        }
    }

    /// Computes the samples of a row from the sums of their columns.
    private func shrink(
        to out: UnsafeMutablePointer<UInt8>, _ starts: UnsafeBufferPointer<Int>,
        _ weights: UnsafeBufferPointer<UInt16>
    ) {
        let line = unsafe UnsafePointer(sums[0]) - start * parts
        guard let starts = starts.baseAddress, let weights = weights.baseAddress else { return }
        let covered = unsafe RowKernels.Columns(starts: starts, weights: weights)
        // With constant numbers of taps, the compiler makes loops that are several times faster.
        switch (columns.taps, parts) {
        case (2, 1): unsafe RowKernels.shrink(line, covered, taps: 2, to: out, size.width)
        case (2, 2): unsafe RowKernels.shrink(line, covered, taps: 2, to: out, size.width, parts: 2)
        case (3, 1): unsafe RowKernels.shrink(line, covered, taps: 3, to: out, size.width)
        case (3, 2): unsafe RowKernels.shrink(line, covered, taps: 3, to: out, size.width, parts: 2)
        case (4, 1): unsafe RowKernels.shrink(line, covered, taps: 4, to: out, size.width)
        case (4, 2): unsafe RowKernels.shrink(line, covered, taps: 4, to: out, size.width, parts: 2)
        case (5, 1): unsafe RowKernels.shrink(line, covered, taps: 5, to: out, size.width)
        case (5, 2): unsafe RowKernels.shrink(line, covered, taps: 5, to: out, size.width, parts: 2)
        default: unsafe RowKernels.shrink(line, covered, taps: columns.taps, to: out, size.width, parts: parts)
        }
    }
}

/// The source samples that each sample of the result covers along one axis, with their weights.
private struct Coverage {
    /// The first source sample that each sample of the result reads.
    private(set) var starts: [Int] = []
    /// The number of source samples that each sample of the result reads.
    let taps: Int
    /// The weights of the source samples, in shares of 65536.
    private(set) var weights: [UInt16] = []

    /// - Parameters:
    ///   - axis: The area filter along one axis.
    ///   - count: The number of result samples.
    ///   - length: The number of source samples.
    init(_ axis: Blit.Scaling.Axis, count: Int, of length: Int) {
        let width = max(axis.step, 1)
        let parts = (0..<count).map { index in
            let center = axis.first + Double(index) * axis.step
            let low = min(max(center - width / 2, 0), Double(length) - 0.01)
            return (low: low, high: max(min(center + width / 2, Double(length)), low + 0.01))
        }
        func first(_ part: (low: Double, high: Double)) -> Int { Int((part.low + 1e-6).rounded(.down)) }
        taps = parts.map { Int(($0.high - 1e-6).rounded(.up)) - first($0) }.max() ?? 1
        for part in parts {
            let start = min(first(part), length - taps)
            let shares = (start..<start + taps).map { sample in
                max(min(part.high, Double(sample + 1)) - max(part.low, Double(sample)), 0) / (part.high - part.low)
            }
            starts.append(start)
            // Rounding the running sum keeps the errors of the weights from adding up.
            var (sum, rounded) = (0.0, 0)
            for share in shares {
                sum += share
                let end = Int((sum * 65536).rounded())
                weights.append(UInt16(min(max(end - rounded, 0), 65535)))
                rounded = end
            }
        }
    }
}
