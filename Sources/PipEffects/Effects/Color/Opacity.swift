/// Makes a picture translucent, so that the layers below show through.
///
/// Source: GPUImage, `GPUImageOpacityFilter`.
public struct Opacity: Effect {
    public static let name = "opacity"
    public static let summary = "makes a picture translucent"
    public static var parameters: [EffectParameter<Opacity>] {
        [EffectParameter("opacity", \.opacity, in: 0...1, neutral: 1, "0 is invisible")]
    }

    /// The factor on alpha; 1 changes nothing.
    public var opacity: Float = 0.5

    public init() {}
    public init(_ opacity: Float) { self.opacity = opacity }

    public func operation(in context: EffectContext) -> EffectOperation {
        if opacity == 1 { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("Opacity.frag", PackageResources.Opacity_frag), [.float("opacity", opacity)],
                changesAlpha: true))
    }
}
