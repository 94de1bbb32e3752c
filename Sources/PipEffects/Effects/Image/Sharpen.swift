/// Sharpens by amplifying the difference of each pixel from its four neighbours, or softens by reducing the difference.
///
/// Source: GPUImage, `GPUImageSharpenFilter`: (1 + 4s) c - s (left + right + above + below).
public struct Sharpen: Effect {
    public static let name = "sharpen"
    public static let summary = "raises contrast between neighbouring pixels; negative values soften"
    public static var parameters: [EffectParameter<Sharpen>] {
        [
            EffectParameter(
                "sharpness", \.sharpness, in: -4...4, neutral: 0,
                "the weight of the difference from the four neighbours")
        ]
    }

    /// The strength, from -4 to 4: negative values soften, 0 changes nothing.
    public var sharpness: Float = 1

    public init() {}
    public init(_ sharpness: Float) { self.sharpness = sharpness }

    public func operation(in context: EffectContext) -> EffectOperation {
        if sharpness == 0 { return .none }
        return .neighbourhood(
            ShaderCall(
                ShaderSource("Sharpen.frag", PackageResources.Sharpen_frag), [.float("sharpness", sharpness)]))
    }
}
