/// Turns a picture black and white by comparing each pixel with the picture's mean luma.
///
/// Source: GPUImage, `GPUImageAverageLuminanceThresholdFilter`: step(multiplier · mean luma, luma). The mean is that of
/// the same frame.
public struct AverageLuminanceThreshold: Effect {
    public static let name = "average-luminance-threshold"
    public static let summary = "makes pixels black or white by the picture's mean luma"
    public static var parameters: [EffectParameter<AverageLuminanceThreshold>] {
        [
            EffectParameter("multiplier", \.multiplier, in: 0...4, "the factor on the mean luma")
        ]
    }

    /// The factor on the mean luma, which gives the threshold.
    public var multiplier: Float = 1

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .combine(
            with: [.mean],
            ShaderCall(
                ShaderSource("AverageLuminanceThreshold.frag", PackageResources.AverageLuminanceThreshold_frag),
                [context.luma, .float("multiplier", multiplier)]))
    }
}
