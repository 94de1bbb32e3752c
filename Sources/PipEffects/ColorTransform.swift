package import PipFrames

/// An affine map of three colour components: `matrix · color + offset`.
///
/// Effects that only transform colours affinely return this map; the planner folds successive maps into one.
public struct ColorTransform: Sendable, Hashable {
    /// The 3×3 matrix, row by row.
    public var rows: [[Double]]
    /// The offset, one number for each component.
    public var offset: [Double]

    /// Creates a map from the matrix's three rows of three numbers, and an offset.
    public init(rows: [[Double]], offset: [Double] = [0, 0, 0]) {
        self.rows = rows
        self.offset = offset
    }

    /// The map that leaves every colour unchanged.
    public static let identity = ColorTransform(rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

    /// The composition of two transforms: this one first, then `next`.
    public func then(_ next: ColorTransform) -> ColorTransform {
        var rows = [[Double]](repeating: [0, 0, 0], count: 3)
        for row in 0..<3 {
            for column in 0..<3 {
                rows[row][column] = (0..<3).reduce(0) { $0 + next.rows[row][$1] * self.rows[$1][column] }
            }
        }
        return ColorTransform(rows: rows, offset: next.applied(to: offset))
    }

    /// Applies the map to a colour of three components.
    public func applied(to color: [Double]) -> [Double] {
        zip(rows, offset).map { row, offset in
            zip(row, color).reduce(offset) { (sum: Double, pair: (Double, Double)) in sum + pair.0 * pair.1 }
        }
    }

    /// True when the first component does not mix with the other two.
    ///
    /// In Y'CbCr, the luma and chroma planes can then be transformed separately.
    package var keepsLumaAndChromaApart: Bool {
        [rows[0][1], rows[0][2], rows[1][0], rows[2][0]].allSatisfy { abs($0) < 1e-6 }
    }

    /// True when no number of the matrix or offset differs from the identity's by more than 0.000001.
    package var isIdentity: Bool {
        for row in 0..<3 {
            guard abs(offset[row]) < 1e-6 else { return false }
            for column in 0..<3 where abs(rows[row][column] - (row == column ? 1 : 0)) > 1e-6 { return false }
        }
        return true
    }
}

extension Colorimetry {
    /// The map from Y'CbCr sample values to R'G'B' (0…1).
    ///
    /// Sample values are scaled to 0…1 for codes 0…255.
    ///
    /// Source: ITU-R BT.601-7 2.5, BT.709-6 3 and 4.6; JFIF 1.02 for full range.
    package var rgbFromYCbCr: ColorTransform {
        let (red, blue) = matrix.lumaWeights
        let green = 1 - red - blue
        let (lumaScale, lumaZero, chromaScale) = quantization
        let cr = 2 * (1 - red)
        let cb = 2 * (1 - blue)
        let greenOfBlue: Double = -cb * blue / green * chromaScale
        let greenOfRed: Double = -cr * red / green * chromaScale
        let rows: [[Double]] = [
            [lumaScale, 0, cr * chromaScale], [lumaScale, greenOfBlue, greenOfRed], [lumaScale, cb * chromaScale, 0],
        ]
        let zero: [Double] = [lumaZero, 128.0 / 255, 128.0 / 255]
        let offset = rows.map { row in -zip(row, zero).reduce(0) { (sum: Double, pair) in sum + pair.0 * pair.1 } }
        return ColorTransform(rows: rows, offset: offset)
    }

    /// The map from R'G'B' (0…1) to Y'CbCr sample values.
    ///
    /// Sample values are scaled to 0…1 for codes 0…255.
    package var yCbCrFromRGB: ColorTransform {
        let (red, blue) = matrix.lumaWeights
        let luma = [red, 1 - red - blue, blue]
        let (lumaScale, lumaZero, chromaScale) = quantization
        func difference(_ unit: [Double], _ weight: Double) -> [Double] {
            zip(unit, luma).map { (own: Double, luma: Double) in (own - luma) / (2 * (1 - weight)) / chromaScale }
        }
        let rows = [luma.map { $0 / lumaScale }, difference([0, 0, 1], blue), difference([1, 0, 0], red)]
        return ColorTransform(rows: rows, offset: [lumaZero, 128.0 / 255, 128.0 / 255])
    }

    private var quantization: (lumaScale: Double, lumaZero: Double, chromaScale: Double) {
        switch range {
        case .limited: (255.0 / 219, 16.0 / 255, 255.0 / 224)
        case .full: (1, 0, 1)
        }
    }
}
