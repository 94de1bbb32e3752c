/// Softens bright parts, like a diffusion filter before the lens.
///
/// Source: Movit, `DiffusionEffect`: mix(c, blur, amount · luma of c), so that bright parts spread.
public struct Diffusion: Effect {
    public static let name = "diffusion"
    public static let summary = "softens bright parts, like a diffusion filter before the lens"
    public static var parameters: [EffectParameter<Diffusion>] {
        [
            EffectParameter(
                "amount", \.amount, in: 0...1, neutral: 0, "the share of the blurred picture in white parts"),
            EffectParameter("radius", \.radius, in: 0.5...24, unit: "px", "the blur's standard deviation"),
        ]
    }

    /// The share of the blurred picture in white parts, 0…1; 0 changes nothing.
    public var amount: Float = 0.5
    /// The blur's standard deviation, in pixels of the picture.
    public var radius: Float = 6

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        guard amount > 0, let blur = context.gaussian(radius) else { return .none }
        return .combine(
            with: [blur],
            ShaderCall(
                ShaderSource("Diffusion.frag", PackageResources.Diffusion_frag),
                [context.luma, .float("amount", amount)]))
    }
}
