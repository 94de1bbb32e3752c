internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// Memory for the results of two canvas rows, in the planes of a 4:2:0 canvas.
@safe struct PlaneRows {
    let upper: UnsafeMutablePointer<UInt8>
    /// The lower row of luma; nil below the last row.
    let lower: UnsafeMutablePointer<UInt8>?
    /// The row of Cb and Cr; nil for a canvas of luma alone.
    let chroma: (cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>)?
    /// The bytes from one sample of chroma to the next.
    let step: Int
}

/// Makes a pass's pixels as 4:2:0 planes, without rows of floats in between.
protocol PlaneSource: AnyObject {
    /// Prepares for a frame.
    func begin(_ memory: PlaneMemory, at time: Duration)

    /// Writes two rows of the canvas, of which `row` is the first.
    func write(_ row: Int, to rows: PlaneRows)
}

/// Applies a colour matrix, and at most one shade such as a vignette, to the planes of a Y'CbCr image.
///
/// A shade multiplies R'G'B' by a factor of the position. The conversions before and after are linear, so that Y'CbCr
/// less its offsets can be multiplied in place of R'G'B', at chroma's own size by the mean factor.
@safe final class ShadedPlanes: PlaneSource {
    private let head: YUVHead
    private let region: RowRegion
    private let functions: PipRowFunctions
    private let shades: ShadeTable?
    private var numbers: PipShadeNumbers

    /// Creates the planes; nil where samples are not read as they are, for other operations than a shade, and for a
    /// matrix with large numbers.
    ///
    /// - Parameters:
    ///   - head: The head of the pass, with the matrix before the shade.
    ///   - operations: The operations after the head.
    ///   - transform: The conversion to Y'CbCr after the shade.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init?(
        _ head: YUVHead, _ operations: [any RowOperation], _ transform: ColorTransform, _ region: RowRegion,
        _ functions: PipRowFunctions
    ) {
        let shades = (operations.first as? ShadeOperation)?.table
        guard head.readsSamples, region.count % 2 == 0, region.rows.count % 2 == 0, region.count >= 32,
            operations.count == (shades == nil ? 0 : 1), let numbers = PipShadeNumbers(head.transform, transform)
        else { return nil }
        (self.head, self.region, self.functions, self.shades, self.numbers) = (head, region, functions, shades, numbers)
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        head.begin(memory, at: time)
    }

    func write(_ row: Int, to rows: PlaneRows) {
        guard let lower = unsafe rows.lower, let chroma = unsafe rows.chroma, let source = head.samples(row) else {
            return
        }
        let column = region.columns.lowerBound
        var own = unsafe PipShadedRows(
            luma: (source.upper, source.lower), chroma: (source.cb, source.cr), chromaStep: Int32(source.step),
            shades: (shades?.row(row, from: column), shades?.row(row + 1, from: column)),
            meanShades: shades?.meanRow(row, from: column),
            result: (rows.upper, lower), resultChroma: (chroma.cb, chroma.cr), resultStep: Int32(rows.step))
        unsafe functions.shadePlanes(&own, &numbers, Int32(region.count / 2))
    }
}

extension PipShadeNumbers {
    /// Creates the numbers of a matrix to R'G'B', and of the matrix to Y'CbCr after the shade; nil for numbers that
    /// need more than 16 bits.
    fileprivate init?(_ before: ColorTransform, _ after: ColorTransform) {
        let linear = ColorTransform(rows: before.rows).then(ColorTransform(rows: after.rows))
        let middle = linear.applied(to: [0, 128, 128])
        let added = ColorTransform(rows: after.rows).applied(to: before.offset).enumerated().map { row, offset in
            255 * offset + middle[row]
        }
        let sizes = (0..<3).map { (row: Int) -> Double in
            let factors = linear.rows[row].map { abs($0) }
            let chroma = 128 * (factors[1] + factors[2])
            return 255 * factors[0] + chroma + abs(added[row]) + 255 * abs(after.offset[row])
        }
        guard let most = sizes.max(), most.isFinite,
            let precision = [5, 4].first(where: { precision in
                let whole = Double(1 << precision)
                return most * whole < 32700
                    && linear.rows.joined().allSatisfy { abs($0) * whole * 512 < 32767 }
            })
        else { return nil }
        self.init()
        func number(_ value: Double) -> Int16 { Int16(value.rounded()) }
        let whole = Double(1 << precision)
        // Products are rounded down, by half at the mean: three before luma's shade, and two before chroma's.
        func row(_ index: Int, loss: Double) -> (Int16, Int16, Int16, Int16) {
            let factors = linear.rows[index].map { number($0 * whole * 512) }
            return (factors[0], factors[1], factors[2], number(added[index] * whole + loss))
        }
        matrix = (row(0, loss: 1.5), row(1, loss: 1), row(2, loss: 1))
        shift = Int16(precision - 1)
        let half = whole / 4
        offset = (
            number(after.offset[0] * 255 * whole / 2 + half),
            number(after.offset[1] * 255 * whole / 2 + half + 1.25),
            number(after.offset[2] * 255 * whole / 2 + half + 1.25)
        )
    }
}
