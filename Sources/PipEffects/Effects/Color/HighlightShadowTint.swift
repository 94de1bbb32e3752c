public import PipFrames

/// Tints shadows with one colour and highlights with another.
///
/// Source: GPUImage, `GPUImageHighlightShadowTintFilter`.
public struct HighlightShadowTint: Effect {
    public static let name = "highlight-shadow-tint"
    public static let summary = "tints shadows and highlights"
    public static var parameters: [EffectParameter<HighlightShadowTint>] {
        [
            EffectParameter("shadows", \.shadows, in: 0...1, neutral: 0, "the strength of the shadows' tint"),
            EffectParameter("highlights", \.highlights, in: 0...1, neutral: 0, "the strength of the highlights' tint"),
            EffectParameter("shadow-tint", \.shadowTint, "the shadows' colour"),
            EffectParameter("highlight-tint", \.highlightTint, "the highlights' colour"),
        ]
    }

    /// The strength of the shadows' tint, from 0 (unchanged) to 1.
    public var shadows: Float = 0.5
    /// The strength of the highlights' tint, from 0 (unchanged) to 1.
    public var highlights: Float = 0.5
    /// The tint of dark parts.
    public var shadowTint = Color.red
    /// The tint of bright parts.
    public var highlightTint = Color.blue

    public init() {}
    public init(shadows: Float, _ shadowTint: Color, highlights: Float, _ highlightTint: Color) {
        self.shadows = shadows
        self.highlights = highlights
        self.shadowTint = shadowTint
        self.highlightTint = highlightTint
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if shadows == 0 && highlights == 0 { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("HighlightShadowTint.frag", PackageResources.HighlightShadowTint_frag),
                [
                    .vector("amounts", shadows, highlights), .color("shadowTint", shadowTint),
                    .color("highlightTint", highlightTint), context.lumaUniform("weights"),
                ]))
    }
}
