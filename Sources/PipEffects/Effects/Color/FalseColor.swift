public import PipFrames

/// Maps luma to a gradient between two colours.
///
/// Source: GPUImage, `GPUImageFalseColorFilter`: mix(first, second, Y).
public struct FalseColor: Effect {
    public static let name = "false-color"
    public static let summary = "maps luma to a gradient between two colours"
    public static var parameters: [EffectParameter<FalseColor>] {
        [
            EffectParameter("first", \.first, "the colour that black becomes"),
            EffectParameter("second", \.second, "the colour that white becomes"),
            EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is the two colours alone"),
        ]
    }

    /// The colour that black becomes.
    public var first = Color(red: 0, green: 0, blue: 0.5)
    /// The colour that white becomes.
    public var second = Color.red
    /// The strength, from 0 (unchanged) to 1 (the gradient alone).
    public var intensity: Float = 1

    public init() {}
    public init(first: Color, second: Color, intensity: Float = 1) {
        self.first = first
        self.second = second
        self.intensity = intensity
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if intensity == 0 { return .none }
        let low = [first.red, first.green, first.blue]
        let high = [second.red, second.green, second.blue]
        let rows = zip(low, high).map { low, high in context.lumaWeights.map { (high - low) * $0 } }
        return .affine(ColorTransform(rows: rows, offset: low).mixed(Double(intensity)))
    }
}
