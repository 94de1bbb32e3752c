package import PipFrames

/// A quantity of a picture as a whole.
public enum Measurement: String, Sendable, Hashable, CaseIterable {
    /// The mean of all pixels: one texel, red, green, blue and alpha, premultiplied.
    case average
    /// The counts of pixels by 256 values: a texel for each value, with counts by red, green, blue and luma.
    case histogram

    /// The shares of red, green and blue in luma, in parts of 65536.
    package static func wholeLumaWeights(of matrix: ColorMatrixStandard) -> [Int] {
        let (red, blue) = matrix.lumaWeights
        let parts = [red, blue].map { Int(($0 * 65536).rounded()) }
        return [parts[0], 65536 - parts[0] - parts[1], parts[1]]
    }

    /// The operation that makes a table of the picture.
    package func operation(in context: EffectContext) -> EffectOperation {
        switch self {
        case .average: .mean
        case .histogram: .table(Tally.histogram(in: context))
        }
    }
}
