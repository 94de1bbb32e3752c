/// Evens out skin: finds dark spots in green and blue by a high pass, and lightens them by a curve.
///
/// Source: MetalPetal, `MTIHighPassSkinSmoothingFilter`. Green is overlaid with blue at half the exposure. The blurred
/// overlay is subtracted and 0.5 is added. Hard light with itself is applied three times, and the result is multiplied
/// by 255 / 164. Where this mask is dark, the picture follows the curve (0, 0), (120, 146), (255, 255).
public struct HighPassSkinSmoothing: Effect {
    public static let name = "high-pass-skin-smoothing"
    public static let summary = "evens out skin by lifting dark spots"
    public static var parameters: [EffectParameter<HighPassSkinSmoothing>] {
        [
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "the strength"),
            EffectParameter(
                "radius", \.radius, in: 0.5...24, unit: "px", "the standard deviation of the high pass's blur"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1.
    public var amount: Float = 0.65
    /// The standard deviation of the high pass's blur, in pixels of the picture.
    public var radius: Float = 8

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        guard amount > 0, let blur = context.gaussian(radius) else { return .none }
        let spots = ShaderCall(ShaderSource("SkinSpots.frag", PackageResources.SkinSpots_frag))
        return .combine(
            with: [.pixel(spots), blur],
            ShaderCall(
                ShaderSource("HighPassSkinSmoothing.frag", PackageResources.HighPassSkinSmoothing_frag),
                [.float("amount", amount)]))
    }
}
