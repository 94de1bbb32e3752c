/// Draws edges in black on white, like a pencil sketch.
///
/// Source: GPUImage, `GPUImageSketchFilter`: 1 - the length of the Sobel gradient of luma.
public struct Sketch: Effect {
    public static let name = "sketch"
    public static let summary = "draws edges in black on white"
    public static var parameters: [EffectParameter<Sketch>] {
        [
            EffectParameter("strength", \.strength, in: 0...4, "the factor on the gradient")
        ]
    }

    /// The factor on the gradient's length, 0…4.
    public var strength: Float = 1

    public init() {}
    public init(strength: Float) { self.strength = strength }

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("Sketch.frag", PackageResources.Sketch_frag),
                [context.luma, .float("strength", strength)]))
    }
}
