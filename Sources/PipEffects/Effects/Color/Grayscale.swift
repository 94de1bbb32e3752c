/// Shows luma alone.
///
/// Source: GPUImage, `GPUImageGrayscaleFilter`; luma has the weights of the frame's own matrix.
public struct Grayscale: Effect {
    public static let name = "grayscale"
    public static let summary = "takes all colour away"
    public static var parameters: [EffectParameter<Grayscale>] { [] }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .affine(.saturation(0, weights: context.lumaWeights))
    }
}
