/// Removes colour, and shows only luma.
///
/// Source: GPUImage, `GPUImageGrayscaleFilter`; luma is weighted by the frame's own Y'CbCr matrix.
public struct Grayscale: Effect {
    public static let name = "grayscale"
    public static let summary = "takes all colour away"
    public static var parameters: [EffectParameter<Grayscale>] { [] }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .affine(.saturation(0, weights: context.lumaWeights))
    }
}
