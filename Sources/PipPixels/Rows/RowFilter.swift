internal import PipFrames
internal import PipPlan

/// Applies a separable symmetric filter to a plane, at the plane's own size or at half of it.
///
/// The filter works row by row and keeps as many rows as the kernel is high, in 16-bit fixed point of 1/128 of a
/// sample. The compiler vectorizes the loops. libyuv has no filter for planes of bytes. Samples beyond the edges repeat
/// the edge samples.
///
/// Thread: the renderer's thread.
final class RowFilter {
    /// The centre's weight, then the weights on one side, in shares of 65536.
    ///
    /// Zeros extend the weights of the side to a multiple of three.
    private let weights: [UInt16]
    /// The mean error of a sum whose products are rounded down, in 1/128 of a sample.
    private let loss: UInt16
    private let isHalved: Bool
    /// The number of interleaved components: 1, or 2 for pairs.
    private let parts: Int
    /// The size of the plane, in samples or pairs.
    private let size: PixelSize
    /// The size of the plane that the kernel filters: the plane's own, or half of it.
    private let level: PixelSize
    /// Memory for a row of samples, extended on both sides by the kernel's reach.
    private let line: RowMemory<UInt16>
    /// Memory for rows after the horizontal filter.
    private let across: RowMemory<UInt16>
    /// Memory for rows after both filters.
    private let down: RowMemory<UInt16>
    /// Memory for a weighted sum of rows that will be resampled.
    private let mixed: RowMemory<UInt16>

    private var reach: Int { weights.count - 1 }
    /// The number of samples and rows beyond each edge that are also filtered, because the enlargement reads them.
    private var margin: Int { isHalved ? 1 : 0 }
    /// The number of samples in a row of ``across``, both components counted.
    private var count: Int { (level.width + 2 * margin) * parts }

    /// - Parameters:
    ///   - kernel: The kernel, and whether it is applied at half the size.
    ///   - size: The plane's size, in samples or pairs of samples.
    ///   - parts: The number of interleaved components: 1, or 2 for pairs.
    init(_ kernel: Blit.Kernel, size: PixelSize, parts: Int) {
        let padding = (kernel.weights.count - 1).roundedUp(to: 3) - (kernel.weights.count - 1)
        weights =
            kernel.weights.map { UInt16(min(max(($0 * 65536).rounded(), 0), 65535)) }
            + Array(repeating: 0, count: padding)
        loss = UInt16(min(kernel.weights.count / 2, 31))
        isHalved = kernel.isHalved
        self.size = size
        self.parts = parts
        level = isHalved ? PixelSize(size.width.dividedUp(by: 2), size.height.dividedUp(by: 2)) : size
        let reach = weights.count - 1
        let margin = isHalved ? 1 : 0
        let count = (level.width + 2 * margin) * parts
        line = RowMemory(rows: 1, count: count + 2 * reach * parts)
        across = RowMemory(rows: 2 * reach + 1, count: count)
        down = RowMemory(rows: 3, count: count)
        mixed = RowMemory(rows: 1, count: max(count, (size.width + 4) * parts))
    }

    /// Filters all rows of a plane.
    ///
    /// - Parameters:
    ///   - source: Returns a row of samples. Rows are requested in groups that overlap and move down; up to four rows
    ///     must stay valid at once.
    ///   - result: Returns the memory for a row of the result.
    func run(
        from source: (Int) -> UnsafePointer<UInt8>, to result: (Int) -> UnsafeMutablePointer<UInt8>
    ) {
        var next = -margin
        for row in -margin..<level.height + margin {
            while next <= min(row + reach, level.height + margin - 1) {
                unsafe filterAcross(next, source)
                next += 1
            }
            filterDown(row)
            if !isHalved {
                unsafe RowKernels.narrow(down[row], to: result(row), count)
            } else if row > 0 {
                unsafe enlarge(row - 1, result)
            }
        }
    }

    /// Filters one row horizontally, at the size at which the kernel works.
    private func filterAcross(_ row: Int, _ source: (Int) -> UnsafePointer<UInt8>) {
        let start = unsafe line[0] + (reach + margin) * parts
        if isHalved {
            let sums = unsafe halve(row, source, to: start)
            // Samples beyond the edges repeat the edge sample. At half the size, 16 times an eighth-sum is an edge
            // value in 128ths.
            unsafe extend(start, level.width, by: reach + margin, as: sums, size.width, times: 16)
        } else {
            unsafe RowKernels.widen(source(row), to: start, count)
            unsafe extend(start, level.width, by: reach, as: start, level.width)
        }
        let centre = unsafe UnsafePointer(line[0] + reach * parts)
        let sums = unsafe across[row + margin]
        unsafe RowKernels.start(centre, weights[0], loss, to: sums, count)
        for first in stride(from: 1, through: reach, by: 3) {
            unsafe RowKernels.add(
                (pair(centre, first), pair(centre, first + 1), pair(centre, first + 2)), to: sums, count)
        }
    }

    /// The positions at equal distances to the left and to the right, with their weight.
    private func pair(_ centre: UnsafePointer<UInt16>, _ distance: Int) -> RowKernels.Pair {
        unsafe RowKernels.Pair(
            first: centre - distance * parts, second: centre + distance * parts, weight: weights[distance])
    }

    private func filterDown(_ row: Int) {
        let sums = unsafe down[row + margin]
        unsafe RowKernels.start(UnsafePointer(across[row + margin]), weights[0], loss, to: sums, count)
        for first in stride(from: 1, through: reach, by: 3) {
            unsafe RowKernels.add(
                (pair(row, first), pair(row, first + 1), pair(row, first + 2)), to: sums, count)
        }
    }

    /// The rows at equal distances above and below, with their weight.
    private func pair(_ row: Int, _ distance: Int) -> RowKernels.Pair {
        let last = level.height + 2 * margin - 1
        let (above, below) = (max(row + margin - distance, 0), min(row + margin + distance, last))
        return unsafe RowKernels.Pair(
            first: UnsafePointer(across[above]), second: UnsafePointer(across[below]), weight: weights[distance])
    }

    /// Makes a row at half the size: each sample from 4 × 4 samples, weighted by (1 3 3 1)/8 in each direction.
    ///
    /// - Returns: The vertical sums before the horizontal reduction, in eighths.
    private func halve(
        _ row: Int, _ source: (Int) -> UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt16>
    ) -> UnsafeMutablePointer<UInt16> {
        func line(_ row: Int) -> UnsafePointer<UInt8> { unsafe source(min(max(row, 0), size.height - 1)) }
        let sums = unsafe mixed[0] + 2 * parts
        let first = 2 * row - 1
        unsafe RowKernels.addFour(
            (line(first), line(first + 1), line(first + 2), line(first + 3)), to: sums, size.width * parts)
        unsafe extend(sums, size.width, by: 2, as: sums, size.width)
        unsafe RowKernels.halve(UnsafePointer(sums), to: out, level.width, parts: parts)
        return unsafe sums
    }

    /// Extends a row beyond both edges with multiples of the first and the last sample of `edges`.
    private func extend(
        _ row: UnsafeMutablePointer<UInt16>, _ width: Int, by distance: Int, as edges: UnsafeMutablePointer<UInt16>,
        _ edgeWidth: Int, times factor: UInt16 = 1
    ) {
        for part in 0..<parts {
            let first = unsafe edges[part] &* factor
            let last = unsafe edges[(edgeWidth - 1) * parts + part] &* factor
            for index in 0..<distance {
                unsafe row[part - (index + 1) * parts] = first
                unsafe row[part + (width + index) * parts] = last
            }
        }
    }

    /// Makes the two rows of the plane from one row at half the size.
    private func enlarge(_ row: Int, _ result: (Int) -> UnsafeMutablePointer<UInt8>) {
        for (index, other) in [(2 * row, row - 1), (2 * row + 1, row + 1)] where index < size.height {
            unsafe RowKernels.mix(
                UnsafePointer(down[row + margin]), UnsafePointer(down[other + margin]), to: mixed[0], count)
            unsafe RowKernels.enlarge(
                UnsafePointer(mixed[0] + margin * parts), to: result(index), size.width, parts: parts)
        }
    }
}
