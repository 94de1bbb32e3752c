/// Rotates all hues by an angle, and keeps luma.
///
/// Luma is weighted by the frame's own matrix, so that the effect leaves the luma plane of Y'CbCr unchanged. For
/// BT.601, the result is nearly GPUImage's.
///
/// Source: GPUImage, `GPUImageHueFilter`: a rotation of the I and Q of YIQ, here as one matrix.
public struct Hue: Effect {
    public static let name = "hue"
    public static let summary = "turns all hues by an angle"
    public static var parameters: [EffectParameter<Hue>] {
        [EffectParameter("hue", \.hue, in: -360...360, unit: "degrees", neutral: 0, "the angle")]
    }

    /// The rotation of hues in degrees, from red towards yellow; 0 changes nothing.
    public var hue: Float = 90

    public init() {}
    public init(degrees: Float) { hue = degrees }

    public func operation(in context: EffectContext) -> EffectOperation {
        if hue.truncatingRemainder(dividingBy: 360) == 0 { return .none }
        return .affine(.hue(degrees: Double(hue), weights: context.lumaWeights))
    }
}
