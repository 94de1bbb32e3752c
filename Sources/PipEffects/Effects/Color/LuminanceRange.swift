/// Reduces the range of luma, and keeps colours.
///
/// Source: GPUImage, `GPUImageLuminanceRangeFilter`: c + (0.5 - Y)·k.
public struct LuminanceRange: Effect {
    public static let name = "luminance-range"
    public static let summary = "reduces the range of luma"
    public static var parameters: [EffectParameter<LuminanceRange>] {
        [EffectParameter("reduction", \.reduction, in: 0...1, neutral: 0, "1 leaves no difference in luma")]
    }

    /// The strength, from 0 (unchanged) to 1 (equal luma everywhere).
    public var reduction: Float = 0.6

    public init() {}
    public init(reduction: Float) { self.reduction = reduction }

    public func operation(in context: EffectContext) -> EffectOperation {
        if reduction == 0 { return .none }
        let amount = Double(reduction)
        let weights = context.lumaWeights
        let rows = (0..<3).map { row in (0..<3).map { (row == $0 ? 1 : 0) - amount * weights[$0] } }
        return .affine(ColorTransform(rows: rows, offset: Array(repeating: 0.5 * amount, count: 3)))
    }
}
