/// Makes bright parts glow over their surroundings.
///
/// Source: Movit, `GlowEffect`: c + amount · blur(max(c - cutoff, 0)); here with gamma-encoded values.
public struct Glow: Effect {
    public static let name = "glow"
    public static let summary = "makes bright parts glow"
    public static var parameters: [EffectParameter<Glow>] {
        [
            EffectParameter("amount", \.amount, in: 0...4, neutral: 0, "the factor on the added light"),
            EffectParameter("cutoff", \.cutoff, in: 0...1, "the value above which pixels glow"),
            EffectParameter("radius", \.radius, in: 0.5...24, unit: "px", "the standard deviation of the glow"),
        ]
    }

    /// The factor on the added light; 0 changes nothing.
    public var amount: Float = 1
    /// The value above which pixels glow, 0…1.
    public var cutoff: Float = 0.6
    /// The standard deviation of the glow, in pixels of the picture.
    public var radius: Float = 12

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        guard amount > 0, let blur = context.gaussian(radius) else { return .none }
        let bright = ShaderCall(
            ShaderSource("Bright.frag", PackageResources.Bright_frag),
            [.float("cutoff", cutoff)])
        return .combine(
            with: [.pixel(bright), blur],
            ShaderCall(
                ShaderSource("Glow.frag", PackageResources.Glow_frag),
                [.float("amount", amount)]))
    }
}
