/// Lightens shadows and darkens highlights.
///
/// Source: GPUImage, `GPUImageHighlightShadowFilter`; black stays black, where the original divides by zero.
public struct HighlightShadow: Effect {
    public static let name = "highlight-shadow"
    public static let summary = "lightens shadows, darkens highlights"
    public static var parameters: [EffectParameter<HighlightShadow>] {
        [
            EffectParameter("shadows", \.shadows, in: 0...1, neutral: 0, "1 lightens shadows most"),
            EffectParameter("highlights", \.highlights, in: 0...1, neutral: 1, "0 darkens highlights most"),
        ]
    }

    /// The lightening of shadows, from 0 (unchanged) to 1.
    public var shadows: Float = 0.6
    /// The brightness of highlights, from 1 (unchanged) to 0 (darkest).
    public var highlights: Float = 0.5

    public init() {}
    public init(shadows: Float = 0, highlights: Float = 1) {
        self.shadows = shadows
        self.highlights = highlights
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if shadows == 0 && highlights == 1 { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("HighlightShadow.frag", PackageResources.HighlightShadow_frag),
                [.float("shadows", shadows), .float("highlights", highlights)]))
    }
}
