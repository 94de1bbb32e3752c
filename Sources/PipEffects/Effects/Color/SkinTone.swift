/// Changes the tone of skin, with less effect on hues further from skin.
///
/// Source: GPUImage, `GPUImageSkinToneFilter`: the shift of a hue follows a bell curve centred on the hue of skin.
public struct SkinTone: Effect {
    /// The tone towards which a positive adjustment moves skin.
    public enum UpperTone: String, CaseIterable, Sendable { case green, orange }

    public static let name = "skin-tone"
    public static let summary = "changes the tone of skin"
    public static var parameters: [EffectParameter<SkinTone>] {
        [
            EffectParameter(
                "adjust", \.adjust, in: -0.3...0.3, neutral: 0, "below 0 pinker, above 0 towards the tone of upper"),
            EffectParameter("hue", \.hue, in: 0...1, "the hue of skin; red is 0 and 1, green 1/3"),
            EffectParameter("threshold", \.threshold, in: 0...1000, "the narrowness of the range of hues"),
            EffectParameter("hue-shift", \.hueShift, in: 0...1, "the factor on adjust that gives the shift of hue"),
            EffectParameter(
                "saturation-shift", \.saturationShift, in: 0...1,
                "the factor on adjust that gives the change of saturation, for orange"),
            EffectParameter("upper", \.upper, "the tone for an adjust above 0"),
        ]
    }

    /// The adjustment: below 0 pinker, above 0 towards `upper`; 0 changes nothing.
    public var adjust: Float = 0.3
    /// The hue of skin, 0…1: red is 0 and 1, green 1/3.
    public var hue: Float = 0.05
    /// The narrowness of the bell curve of hues: higher values affect fewer hues.
    public var threshold: Float = 40
    /// The factor on ``adjust`` that gives the shift of the hue of skin, in turns of the hue circle.
    ///
    /// Adjustments towards orange shift no hue.
    public var hueShift: Float = 0.25
    /// The factor on ``adjust`` that gives the change of the saturation of skin, for adjustments towards orange.
    public var saturationShift: Float = 0.4
    /// The tone towards which a positive adjustment moves skin.
    public var upper = UpperTone.green

    public init() {}
    public init(adjust: Float, upper: UpperTone = .green) {
        self.adjust = adjust
        self.upper = upper
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if adjust == 0 { return .none }
        let movesSaturation = upper == .orange && adjust > 0
        return .pixel(
            ShaderCall(
                ShaderSource("SkinTone.frag", PackageResources.SkinTone_frag),
                [
                    .vector("bell", hue, threshold),
                    .vector(
                        "move", movesSaturation ? 0 : adjust * hueShift, movesSaturation ? adjust * saturationShift : 0),
                ], isSteep: true))
    }
}
