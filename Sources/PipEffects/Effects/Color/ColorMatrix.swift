/// Mixes red, green, blue (and alpha) by a matrix.
///
/// Source: GPUImage, `GPUImageColorMatrixFilter`; W3C Filter Effects Module Level 1, "feColorMatrix".
public struct ColorMatrix: Effect {
    public static let name = "color-matrix"
    public static let summary = "mixes red, green and blue by a matrix"
    public static var parameters: [EffectParameter<ColorMatrix>] {
        [
            EffectParameter(
                "matrix", \.matrix, count: 16...16, in: -16...16,
                "4x4, row by row: the weights of red, green, blue and 1 in red, green and blue; alpha's row is last"),
            EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is the matrix alone"),
        ]
    }

    /// The 16 numbers of the 4×4 matrix, row by row.
    ///
    /// The first three rows compute red, green and blue from red, green, blue and 1. The fourth row computes alpha from
    /// red, green, blue and alpha. The default rotates the channels.
    public var matrix: [Float] = [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]
    /// The strength, from 0 (unchanged) to 1 (the matrix alone).
    public var intensity: Float = 1

    public init() {}
    public init(_ matrix: [Float], intensity: Float = 1) {
        self.matrix = matrix
        self.intensity = intensity
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard matrix.count == 16 else { return .none }
        let rows = (0..<3).map { row in (0..<3).map { Double(matrix[4 * row + $0]) } }
        let offset = (0..<3).map { Double(matrix[4 * $0 + 3]) }
        let transform = ColorTransform(rows: rows, offset: offset).mixed(Double(intensity))
        if Array(matrix[12...]) == [0, 0, 0, 1] || intensity == 0 {
            return transform == .identity ? .none : .affine(transform)
        }
        let amount = intensity
        let alpha = (0..<4).map { matrix[12 + $0] * amount + ($0 == 3 ? 1 - amount : 0) }
        return .pixel(
            ShaderCall(
                ShaderSource("ColorMatrix.frag", PackageResources.ColorMatrix_frag),
                [
                    Uniform("rows", .vectors3(transform.rows.flatMap { $0.map { Float($0) } })),
                    .vector(
                        "offset", Float(transform.offset[0]), Float(transform.offset[1]), Float(transform.offset[2])),
                    .vector("alpha", alpha[0], alpha[1], alpha[2], alpha[3]),
                ], changesAlpha: true))
    }
}
