/// Shows the picture's mean luma everywhere, as a grey.
///
/// Source: GPUImage, `GPUImageLuminosity`.
public struct Luminosity: Effect {
    public static let name = "luminosity"
    public static let summary = "shows the picture's mean luma everywhere, as a gray"
    public static var parameters: [EffectParameter<Luminosity>] { [] }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .sequence([.mean, Grayscale().operation(in: context)])
    }
}
