package import PipFrames

/// Converts wide-gamut and high-dynamic-range colours to the colours of a BT.709 display, with white at 203 cd/m².
///
/// The catalogue does not list this effect: the session inserts the effect where a source's colorimetry requires it.
///
/// Source: SMPTE ST 2084 (PQ); ITU-R BT.2100 (HLG, for a display of 1000 cd/m²), BT.1886 (displays), BT.2408 (white),
/// BT.2390 (the tone curve, of the largest component, so that hues stay).
package struct DisplayColors: Effect {
    package static let name = "display-colors"
    package static let summary = "converts wide-gamut and high-dynamic-range colours to those of a display"
    package static var parameters: [EffectParameter<DisplayColors>] { [] }

    /// The primaries of the input.
    package var primaries = ColorPrimaries.bt709
    /// The transfer characteristic of the input.
    package var transfer = TransferFunction.bt709

    package init() {}

    /// Creates the conversion for a source's colorimetry.
    ///
    /// Nil for a source that is shown unconverted: its primaries are neither BT.2020 nor P3, and its transfer
    /// characteristic is neither PQ nor HLG.
    package init?(_ colorimetry: Colorimetry) {
        (primaries, transfer) = (colorimetry.primaries, colorimetry.transfer)
        guard isHDR || [.bt2020, .dciP3].contains(primaries) else { return nil }
    }

    /// True when codes may represent more than 203 cd/m².
    private var isHDR: Bool { transfer == .smpte2084 || transfer == .hlg }

    /// The input luminance that becomes the display's white, 1000 cd/m², in multiples of 203 cd/m².
    ///
    /// Brighter input is clipped.
    private static let peak = Float(1000.0 / 203)

    package func operation(in context: EffectContext) -> EffectOperation {
        let matrix = primaries.matrixToDisplay
        let kind: Float = transfer == .smpte2084 ? 1 : transfer == .hlg ? 2 : 0
        func row(_ name: String, _ index: Int) -> Uniform {
            .vector(name, Float(matrix[index][0]), Float(matrix[index][1]), Float(matrix[index][2]))
        }
        return .pixel(
            ShaderCall(
                ShaderSource("DisplayColors.frag", PackageResources.DisplayColors_frag),
                [
                    row("red", 0), row("green", 1), row("blue", 2),
                    .vector("light", kind, isHDR ? Self.peak : 0),
                ]))
    }
}

extension ColorPrimaries {
    /// The chromaticities of red, green, blue and white.
    ///
    /// Source: ITU-R BT.709, BT.601, BT.470, BT.2020; SMPTE 240M; SMPTE EG 432-1 for the "P3" of cameras, with white of
    /// D65; Adobe RGB (1998).
    private var chromaticities: [(x: Double, y: Double)] {
        let white = (0.3127, 0.3290)
        return switch self {
        case .bt709: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06), white]
        case .smpte170m, .smpte240m: [(0.63, 0.34), (0.31, 0.595), (0.155, 0.07), white]
        case .bt470bg: [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06), white]
        case .bt2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046), white]
        case .dciP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white]
        case .adobeRGB: [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06), white]
        }
    }

    /// The matrix from linear red, green and blue with these primaries to XYZ, row by row.
    ///
    /// White has Y = 1.
    private var toXYZ: [[Double]] {
        let columns = chromaticities.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let primaries = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
        let shares = primaries.inverse.times(columns[3])
        return primaries.map { row in zip(row, shares).map { $0 * $1 } }
    }

    /// The matrix from linear red, green and blue with these primaries to linear BT.709, row by row.
    package var matrixToDisplay: [[Double]] {
        let back = ColorPrimaries.bt709.toXYZ.inverse
        let forth = toXYZ
        return back.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * forth[$1][column] } } }
    }
}

extension [[Double]] {
    fileprivate func times(_ vector: [Double]) -> [Double] { map { zip($0, vector).reduce(0) { $0 + $1.0 * $1.1 } } }

    /// The inverse of a 3×3 matrix, by cofactors.
    fileprivate var inverse: [[Double]] {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return self[r][c] * self[s][d] - self[r][d] * self[s][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + self[0][$1] * minor(0, $1) }
        return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
    }
}
