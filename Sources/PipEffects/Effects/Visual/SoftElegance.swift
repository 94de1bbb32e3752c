/// Gives a picture a soft, warm and pale look.
///
/// Source: GPUImage, `GPUImageSoftEleganceFilter`: a lookup table, a Gaussian blur with a radius of 10 mixed in by
/// 0.14, and another lookup table. The tables are not free to copy, so matrices replace them here. The look is paler
/// and softer than the original's, which is dark and hard. Two ``Lookup``s with the original's tables reproduce the
/// original, except for its blur.
public struct SoftElegance: Effect {
    public static let name = "soft-elegance"
    public static let summary = "gives a soft, warm and pale look"
    public static var parameters: [EffectParameter<SoftElegance>] {
        [
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "the strength of the look")
        ]
    }

    /// The strength, from 0 (unchanged) to 1.
    public var amount: Float = 1

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        guard amount > 0 else { return .none }
        let warm = ColorTransform(rows: [[0.96, 0.07, 0.02], [0.05, 0.93, 0.02], [0.06, 0.12, 0.76]])
        let pale = ColorTransform(rows: [[0.92, 0, 0], [0, 0.91, 0], [0, 0, 0.88]], offset: [0.055, 0.05, 0.06])
        let soften = ShaderCall(
            ShaderSource("Soften.frag", PackageResources.Soften_frag), [.float("amount", 0.14 * amount)])
        let soft = context.gaussian(10).map { EffectOperation.combine(with: [$0], soften) } ?? .none
        return .sequence([.affine(warm.mixed(Double(amount))), soft, .affine(pale.mixed(Double(amount)))])
    }
}
