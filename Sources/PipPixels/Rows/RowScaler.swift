internal import CPixels
internal import PipFrames
internal import PipPlan

/// Resamples a plane with an area filter: each sample is the mean of the source area that it covers.
///
/// The scaler works row by row: it adds up the source rows that a row of the result covers, then their columns. libyuv
/// does not weight partly covered samples, which errs by up to 46 steps from 1280×720 to 426×240.
///
/// Thread: the renderer's thread.
@safe final class RowScaler {
    private let columns: ColumnMeans
    private let rows: Coverage
    /// The weights of the rows, in shares of 65536.
    private let rowWeights: [UInt16]
    /// The first byte that is read in each row, and the number of bytes read.
    private let start: Int
    private let count: Int
    /// The size of the result, in samples or pairs.
    private let size: PixelSize
    /// Memory for the sums of a row's columns.
    private let sums: RowMemory<Int16>
    /// Memory for the source rows that a row of the result covers.
    private let lines: UnsafeMutablePointer<UnsafePointer<UInt8>?>
    private let functions: PipRowFunctions

    /// The number of source rows that are read at once.
    var taps: Int { rows.taps }

    /// - Parameters:
    ///   - scaling: The area filter from the source to the result.
    ///   - size: The result's size, in samples or pairs of samples.
    ///   - parts: The number of interleaved components: 1, or 2 for pairs.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ scaling: Blit.Scaling, size: PixelSize, parts: Int, _ functions: PipRowFunctions = RowSet.best.functions
    ) {
        self.functions = functions
        self.size = size
        let covered = Coverage(scaling.across, count: size.width, of: scaling.source.width)
        columns = ColumnMeans(covered, parts: parts, functions)
        rows = Coverage(scaling.down, count: size.height, of: scaling.source.height)
        rowWeights = rows.weights(of: 65536).map { UInt16(min($0, 65535)) }
        start = covered.range.lowerBound * parts
        count = covered.range.count * parts
        sums = RowMemory(rows: 1, count: count + ColumnMeans.room)
        unsafe lines = .allocate(capacity: rows.taps)
        unsafe lines.initialize(repeating: nil, count: rows.taps)
    }

    deinit { unsafe lines.deallocate() }

    /// Computes all rows of the result.
    ///
    /// - Parameters:
    ///   - source: Returns a row of the source's samples. Rows are requested in groups of ``taps`` that overlap and
    ///     move down; the rows of a group must stay valid at once.
    ///   - result: Returns the memory for a row of the result.
    func run(from source: (Int) -> UnsafePointer<UInt8>, to result: (Int) -> UnsafeMutablePointer<UInt8>) {
        let (taps, sums) = unsafe (Int32(rows.taps), self.sums[0])
        // Products are rounded down, by half a 256th of a sample each at the mean.
        let bias = min(taps / 2, 127)
        for row in 0..<size.height {
            let first = rows.starts[row]
            for tap in 0..<rows.taps { unsafe lines[tap] = source(first + tap) + start }
            unsafe rowWeights.withUnsafeBufferPointer { weights in
                unsafe functions.sumOfRows(
                    lines, weights.baseAddress.unsafelyUnwrapped + row * rows.taps, taps, bias, sums, Int32(count))
            }
            unsafe columns.run(sums, to: result(row), size.width)
        }
    }
}
