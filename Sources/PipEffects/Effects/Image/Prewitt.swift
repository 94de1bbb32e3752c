/// Draws edges in white on black: the length of the Prewitt gradient of luma.
///
/// Source: GPUImage, `GPUImagePrewittEdgeDetectionFilter`.
public struct Prewitt: Effect {
    public static let name = "prewitt"
    public static let summary = "draws edges in white on black, with equal weights"
    public static var parameters: [EffectParameter<Prewitt>] {
        [
            EffectParameter("strength", \.strength, in: 0...4, "the factor on the gradient")
        ]
    }

    /// The factor on the gradient's length, 0…4.
    public var strength: Float = 1

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("Prewitt.frag", PackageResources.Prewitt_frag),
                [context.luma, .float("strength", strength)]))
    }
}
