/// Turns all hues by an angle, and leaves luma as it is.
///
/// Luma is weighed as the frame's own matrix weighs it, so that the effect leaves Y'CbCr's luma plane as it is; for
/// BT.601 it is GPUImage's.
///
/// Source: GPUImage, `GPUImageHueFilter`: a turn of the I and Q of YIQ, here as one matrix.
public struct Hue: Effect {
    public static let name = "hue"
    public static let summary = "turns all hues by an angle"
    public static var parameters: [EffectParameter<Hue>] {
        [EffectParameter("hue", \.hue, in: -360...360, unit: "degrees", neutral: 0, "the angle")]
    }

    /// In degrees, from red towards yellow; 0 changes nothing.
    public var hue: Float = 90

    public init() {}
    public init(degrees: Float) { hue = degrees }

    public func operation(in context: EffectContext) -> EffectOperation {
        if hue.truncatingRemainder(dividingBy: 360) == 0 { return .none }
        return .affine(.hue(degrees: Double(hue), weights: context.lumaWeights))
    }
}
