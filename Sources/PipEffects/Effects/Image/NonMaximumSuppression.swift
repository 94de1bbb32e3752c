/// Keeps pixels that are brighter than their eight neighbours, and makes the others black.
///
/// Source: GPUImage, `GPUImageNonMaximumSuppressionFilter` and `GPUImageThresholdedNonMaximumSuppressionFilter`; here
/// pixels are compared by luma. Of equal pixels, the last one stays.
public struct NonMaximumSuppression: Effect {
    public static let name = "non-maximum-suppression"
    public static let summary = "keeps pixels that are lighter than their neighbours, on black"
    public static var parameters: [EffectParameter<NonMaximumSuppression>] {
        [EffectParameter("threshold", \.threshold, in: 0...1, "the lowest luma of a pixel that stays")]
    }

    /// The lowest luma of pixels that stay, 0…1.
    public var threshold: Float = 0

    public init() {}
    public init(threshold: Float) { self.threshold = threshold }

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("NonMaximumSuppression.frag", PackageResources.NonMaximumSuppression_frag),
                [context.luma, .float("threshold", threshold)]))
    }
}
