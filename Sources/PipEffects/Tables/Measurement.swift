package import PipFrames

/// What is measured of a picture as a whole.
public enum Measurement: String, Sendable, Hashable, CaseIterable {
    /// The mean of all pixels: one texel, red, green, blue and alpha, premultiplied.
    case average
    /// How many pixels have each of 256 values: a texel for each value, counts by red, green, blue and luma.
    case histogram

    /// The shares of red, green and blue in luma, in parts of 65536.
    package static func wholeLumaWeights(of matrix: ColorMatrixStandard) -> [Int] {
        let (red, blue) = matrix.lumaWeights
        let parts = [red, blue].map { Int(($0 * 65536).rounded()) }
        return [parts[0], 65536 - parts[0] - parts[1], parts[1]]
    }

    /// What makes a table of the picture.
    package func operation(in context: EffectContext) -> EffectOperation {
        switch self {
        case .average: .mean
        case .histogram: .table(Tally.histogram(in: context))
        }
    }
}
