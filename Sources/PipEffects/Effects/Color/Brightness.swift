/// Adds the same amount to red, green and blue.
///
/// Source: GPUImage, `GPUImageBrightnessFilter`: c + b.
public struct Brightness: Effect {
    public static let name = "brightness"
    public static let summary = "adds light: negative values darken"
    public static var parameters: [EffectParameter<Brightness>] {
        [EffectParameter("brightness", \.brightness, in: -1...1, neutral: 0, "the amount added to each component")]
    }

    /// The amount added to each component, from -1 (black) to 1 (white); 0 changes nothing.
    public var brightness: Float = 0.2

    public init() {}
    public init(_ brightness: Float) { self.brightness = brightness }

    public func operation(in context: EffectContext) -> EffectOperation {
        if brightness == 0 { return .none }
        return .affine(
            ColorTransform(
                rows: ColorTransform.identity.rows, offset: Array(repeating: Double(brightness), count: 3)))
    }
}
