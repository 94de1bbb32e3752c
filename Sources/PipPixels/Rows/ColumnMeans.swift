internal import CPixels
internal import PipFrames
internal import PipPlan

/// Reduces a row of sums of rows to samples, each the weighted mean of the columns that it covers.
///
/// Thread: the renderer's thread.
@safe final class ColumnMeans {
    /// The number of sums beyond the last column that the vector code reads.
    static let room = 8

    private let columns: PipColumns
    private let starts: UnsafeMutablePointer<Int32>
    private let weights: UnsafeMutablePointer<Int16>
    private let orders: UnsafeMutablePointer<UInt8>
    private let functions: PipRowFunctions

    /// The weights of each result's columns, and the conversion of their sums to bytes.
    private struct Weights {
        var shares: [Int]
        /// The number to add to a weighted sum.
        var offset: Int
        /// The number of bits of a sum that are less than a byte's lowest one.
        var shift: Int
    }

    /// Creates means of the columns of an area filter, of sums by `sumOfRows`.
    ///
    /// - Parameters:
    ///   - coverage: The columns that each sample covers.
    ///   - parts: The number of interleaved components: 1, or 2 for pairs.
    ///   - functions: The row loops that are compiled for one instruction set.
    convenience init(_ coverage: Coverage, parts: Int, _ functions: PipRowFunctions) {
        // A sum is in 256ths of a byte from -32768, and the weights of a result add up to 32768.
        let weights = Weights(
            shares: coverage.weights(of: 32768).map { min($0, 32767) }, offset: 1 << 30 + 1 << 22, shift: 23)
        self.init(coverage, weights, parts: parts, functions)
    }

    /// Creates means of whole areas, of plain sums of bytes; nil for areas for which the vector code would not round to
    /// the nearest sample.
    ///
    /// - Parameters:
    ///   - columns: The width of an area, in samples or pairs.
    ///   - rows: The number of bytes in each sum.
    ///   - results: The number of samples or pairs in a row of results.
    ///   - parts: The number of interleaved components: 1, or 2 for pairs.
    ///   - functions: The row loops that are compiled for one instruction set.
    convenience init?(columns: Int, rows: Int, results: Int, parts: Int, _ functions: PipRowFunctions) {
        let area = columns * rows
        // The largest power of two of which an area's share is a factor of 15 bits. The rounding of that, times the
        // largest sum, must be less than the distance from a mean to the next half of a sample.
        let shift = Int.bitWidth - (32767 * area).leadingZeroBitCount - 1
        guard results > 0, 255 * area * area < 1 << shift else { return nil }
        let whole = Coverage(
            Blit.Scaling.Axis(first: Double(columns) / 2, step: Double(columns)), count: results, of: results * columns)
        let weight = ((1 << shift) + area / 2) / area
        let weights = Weights(
            shares: Array(repeating: weight, count: results * columns), offset: 1 << (shift - 1), shift: shift)
        self.init(whole, weights, parts: parts, functions)
    }

    private init(_ coverage: Coverage, _ given: Weights, parts: Int, _ functions: PipRowFunctions) {
        self.functions = functions
        let taps = coverage.taps.roundedUp(to: 4)
        let results = coverage.starts.count
        let numbers = (results * parts).roundedUp(to: 4)
        let first = coverage.range.lowerBound
        unsafe starts = .allocate(capacity: numbers)
        unsafe weights = .allocate(capacity: numbers * taps)
        unsafe weights.initialize(repeating: 0, count: numbers * taps)
        unsafe orders = .allocate(capacity: numbers * 8)
        for index in 0..<numbers {
            let start = coverage.starts[min(index, results - 1)] - first
            unsafe starts[index] = Int32(start)
            let ahead = unsafe start - Int(starts[index / 2 * 2])
            for byte in 0..<8 { unsafe orders[8 * index + byte] = UInt8(truncatingIfNeeded: 2 * ahead + byte) }
        }
        for number in 0..<results * parts {
            for tap in 0..<coverage.taps {
                let place = number / 2 * 2 * taps + tap / 4 * 8 + number % 2 * 4 + tap % 4
                unsafe weights[place] = Int16(given.shares[number / parts * coverage.taps + tap])
            }
        }
        unsafe columns = PipColumns(
            starts: starts, weights: weights, orders: orders, taps: Int32(taps), parts: Int32(parts),
            offset: Int32(given.offset), shift: Int32(given.shift))
    }

    deinit {
        unsafe starts.deallocate()
        unsafe weights.deallocate()
        unsafe orders.deallocate()
    }

    /// Computes a row of samples or pairs.
    ///
    /// - Parameters:
    ///   - sums: The sums of the covered columns, with ``room`` for more.
    ///   - out: The memory for the row.
    ///   - count: The number of samples or pairs.
    func run(_ sums: UnsafePointer<Int16>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        unsafe withUnsafePointer(to: columns) { unsafe functions.meansOfColumns(sums, $0, out, Int32(count)) }
    }
}
