public import PipFrames

/// Tints a frame in shades of one colour.
///
/// Source: GPUImage, `GPUImageMonochromeFilter`: an overlay blend of the colour with luma.
public struct Monochrome: Effect {
    public static let name = "monochrome"
    public static let summary = "turns colours into shades of one colour"
    public static var parameters: [EffectParameter<Monochrome>] {
        [
            EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is shades of one colour alone"),
            EffectParameter("color", \.color, "the colour of middle grey"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1 (shades of one colour).
    public var intensity: Float = 1
    /// The colour that middle grey becomes.
    public var color = Color(red: 0.6, green: 0.45, blue: 0.3)

    public init() {}
    public init(_ color: Color, intensity: Float = 1) {
        self.color = color
        self.intensity = intensity
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if intensity == 0 { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("Monochrome.frag", PackageResources.Monochrome_frag),
                [.float("intensity", intensity), .color("tint", color), context.lumaUniform("weights")]))
    }
}
