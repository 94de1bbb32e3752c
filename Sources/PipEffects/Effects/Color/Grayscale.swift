/// Shows luma alone.
///
/// Source: GPUImage, `GPUImageGrayscaleFilter`; luma is weighed as the frame's own matrix weighs it.
public struct Grayscale: Effect {
    public static let name = "grayscale"
    public static let summary = "takes all colour away"
    public static var parameters: [EffectParameter<Grayscale>] { [] }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .affine(.saturation(0, weights: context.lumaWeights))
    }
}
