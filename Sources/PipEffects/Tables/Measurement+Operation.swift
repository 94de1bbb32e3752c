package import PipFrames

extension Measurement {
    /// The luma weights of red, green and blue as integers, in units of 1/65536.
    package static func wholeLumaWeights(of matrix: ColorMatrixStandard) -> [Int] {
        let (red, blue) = matrix.lumaWeights
        let parts = [red, blue].map { Int(($0 * 65536).rounded()) }
        return [parts[0], 65536 - parts[0] - parts[1], parts[1]]
    }

    /// The operation that draws the measurement's frame: one pixel for the average, a table for the histogram.
    package func operation(in context: EffectContext) -> EffectOperation {
        switch self {
        case .average: .mean
        case .histogram: .table(Tally.histogram(in: context))
        }
    }
}
