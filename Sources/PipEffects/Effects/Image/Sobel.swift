internal import PipFrames

/// Draws edges in white on black.
///
/// Source: GPUImage, `GPUImageSobelEdgeDetectionFilter`: the length of the Sobel gradient of luma, times a strength.
public struct Sobel: Effect {
    public static let name = "sobel"
    public static let summary = "draws edges in white on black"
    public static var parameters: [EffectParameter<Sobel>] {
        [EffectParameter("strength", \.strength, in: 0...4, "the factor on the gradient")]
    }

    /// The factor on the gradient's length, 0…4.
    public var strength: Float = 1

    public init() {}
    public init(strength: Float) { self.strength = strength }

    public func operation(in context: EffectContext) -> EffectOperation {
        let (red, blue) = context.matrix.lumaWeights
        return .neighbourhood(
            ShaderCall(
                ShaderSource("Sobel.frag", PackageResources.Sobel_frag),
                [
                    .float("strength", strength),
                    .vector("weights", Float(red), Float(1 - red - blue), Float(blue)),
                ]))
    }
}
