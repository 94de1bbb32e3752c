internal import CPixels
internal import CYUV

/// Calls libyuv for a few rows at a time; libyuv chooses the widest vector instructions of the processor.
///
/// A call costs about 20 ns, so single rows take hardly longer than whole planes.
enum LibraryRows {
    /// Copies the even or the odd bytes of rows to `out`, without padding between the rows.
    ///
    /// `first`: 0 for the even bytes, 1 for the odd bytes.
    static func takeEverySecond(
        _ line: UnsafePointer<UInt8>, _ stride: Int, first: Int, rows: Int = 1, to out: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) {
        // libyuv reads whole macropixels, so the last of an odd number of bytes is copied here.
        let even = count & ~1
        if even > 0 {
            let take = unsafe first == 0 ? YUY2ToY : UYVYToY
            _ = unsafe take(line, Int32(stride), out, Int32(count), Int32(even), Int32(rows))
        }
        if even < count {
            for row in 0..<rows {
                unsafe out[row * count + even] = line[row * stride + 2 * even + first]
            }
        }
    }

    /// Interleaves the samples of two rows as pairs.
    static func interleave(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
        _ pairs: Int
    ) {
        let width = Int32(pairs)
        unsafe MergeUVPlane(first, width, second, width, out, 2 * width, width, 1)
    }

    /// Splits a row of pairs into two rows of samples.
    static func split(
        _ line: UnsafePointer<UInt8>, to first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
        _ pairs: Int
    ) {
        let width = Int32(pairs)
        unsafe SplitUVPlane(line, 2 * width, first, width, second, width, width, 1)
    }

    /// Averages samples over squares of `number` × `number` samples; `number` is 2 or 4.
    static func means(
        _ line: UnsafePointer<UInt8>, _ stride: Int, of number: Int, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        let (width, side) = (Int32(count), Int32(number))
        if number == 2 { unsafe prefetch(line, stride) }
        unsafe ScalePlane(line, Int32(stride), side * width, side, out, width, width, 1, kFilterBox)
    }

    /// Prefetches the rows after the next two.
    ///
    /// The processor's own prefetcher does not keep up with two rows at once: with this hint, means of planes in file
    /// memory take a third of the time. Means of four rows, or of packed samples, gain nothing.
    private static func prefetch(_ line: UnsafePointer<UInt8>, _ stride: Int) {
        unsafe pip_prefetch(line + 4 * stride, Int64(2 * stride))
    }

    /// Averages pairs over squares of 2 × 2 pairs.
    static func meansOfTwo(
        pairs line: UnsafePointer<UInt8>, _ stride: Int, to out: UnsafeMutablePointer<UInt8>, _ pairs: Int
    ) {
        let width = Int32(pairs)
        unsafe prefetch(line, stride)
        _ = unsafe UVScale(line, Int32(stride), 2 * width, 2, out, 2 * width, width, 1, kFilterBox)
    }

    /// Averages pairs over squares of 4 × 4 pairs.
    ///
    /// Splits the pairs and interleaves the means, because libyuv's own means of four pairs round twice and allocate
    /// memory.
    ///
    /// `memory`: 34 bytes for each pair.
    static func meansOfFour(
        pairs line: UnsafePointer<UInt8>, _ stride: Int, to out: UnsafeMutablePointer<UInt8>, _ pairs: Int,
        memory: UnsafeMutablePointer<UInt8>
    ) {
        let width = 4 * pairs
        let low = unsafe memory
        let high = unsafe memory + 4 * width
        let means = unsafe memory + 8 * width
        let samples = Int32(width)
        unsafe SplitUVPlane(line, Int32(stride), low, samples, high, samples, samples, 4)
        unsafe Self.means(low, width, of: 4, to: means, pairs)
        unsafe Self.means(high, width, of: 4, to: means + pairs, pairs)
        unsafe interleave(means, means + pairs, to: out, pairs)
    }
}
