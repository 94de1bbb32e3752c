/// Lightens shadows and darkens highlights.
///
/// Source: GPUImage, `GPUImageHighlightShadowFilter`; black stays black, where the original divides by zero.
public struct HighlightShadow: Effect {
    public static let name = "highlight-shadow"
    public static let summary = "lightens shadows, darkens highlights"
    public static let example: String? = "0.6:0.5"
    public static var parameters: [EffectParameter<HighlightShadow>] {
        [
            EffectParameter("shadows", \.shadows, in: 0...1, "1 lightens shadows most; 0 changes nothing"),
            EffectParameter("highlights", \.highlights, in: 0...1, "0 darkens highlights most; 1 changes nothing"),
        ]
    }

    /// From 0 (unchanged) to 1 (lightened).
    public var shadows: Float = 0
    /// From 1 (unchanged) to 0 (darkened).
    public var highlights: Float = 1

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
