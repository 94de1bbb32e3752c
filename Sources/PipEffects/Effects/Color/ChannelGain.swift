/// Multiplies red, green and blue, each by a factor.
///
/// Source: GPUImage, `GPUImageRGBFilter`.
public struct ChannelGain: Effect {
    public static let name = "rgb"
    public static let summary = "multiplies red, green and blue"
    public static let example: String? = "1.2:1:0.8"
    public static var parameters: [EffectParameter<ChannelGain>] {
        [
            EffectParameter("red", \.red, in: 0...16, "factor on red; 1 changes nothing"),
            EffectParameter("green", \.green, in: 0...16, "factor on green"),
            EffectParameter("blue", \.blue, in: 0...16, "factor on blue"),
        ]
    }

    /// Factors; 1 changes nothing.
    public var red: Float = 1
    public var green: Float = 1
    public var blue: Float = 1

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
