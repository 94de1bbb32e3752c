/// Evens out skin: dark spots in green and blue are found by a high pass and lifted by a curve.
///
/// Source: MetalPetal, `MTIHighPassSkinSmoothingFilter`: green overlaid with blue at half the light, minus its blur
/// plus a half, three times hard light upon itself and times 255 / 164: what is dark in it takes the picture through
/// the curve (0, 0), (120, 146), (255, 255).
public struct HighPassSkinSmoothing: Effect {
    public static let name = "high-pass-skin-smoothing"
    public static let summary = "evens out skin by lifting dark spots"
    public static var parameters: [EffectParameter<HighPassSkinSmoothing>] {
        [
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "how even; 1 is the most"),
            EffectParameter("radius", \.radius, in: 0.5...24, unit: "px", "of the spots"),
        ]
    }

    /// The strength; 0 changes nothing.
    public var amount: Float = 0.65
    /// The radius of spots, in pixels of the picture.
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
