/// Multiplies red, green and blue, each by a factor.
///
/// Source: GPUImage, `GPUImageRGBFilter`.
public struct ChannelGain: Effect {
    public static let name = "rgb"
    public static let summary = "multiplies red, green and blue"
    public static var parameters: [EffectParameter<ChannelGain>] {
        [
            EffectParameter("red", \.red, in: 0...16, neutral: 1, "the factor on red"),
            EffectParameter("green", \.green, in: 0...16, neutral: 1, "the factor on green"),
            EffectParameter("blue", \.blue, in: 0...16, neutral: 1, "the factor on blue"),
        ]
    }

    /// The factor on red; 1 changes nothing.
    public var red: Float = 1.2
    /// The factor on green; 1 changes nothing.
    public var green: Float = 1
    /// The factor on blue; 1 changes nothing.
    public var blue: Float = 0.8

    public init() {}
    public init(red: Float = 1, green: Float = 1, blue: Float = 1) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if red == 1 && green == 1 && blue == 1 { return .none }
        return .affine(.scale(Double(red), Double(green), Double(blue)))
    }
}
