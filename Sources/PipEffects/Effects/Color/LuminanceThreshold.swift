/// Makes a pixel white if its luma reaches a threshold, and black otherwise.
///
/// Source: GPUImage, `GPUImageLuminanceThresholdFilter`.
public struct LuminanceThreshold: Effect {
    public static let name = "luminance-threshold"
    public static let summary = "draws bright parts white, dark ones black"
    public static var parameters: [EffectParameter<LuminanceThreshold>] {
        [EffectParameter("threshold", \.threshold, in: 0...1, "the lowest luma of a white pixel")]
    }

    /// The lowest luma of white pixels, 0…1.
    public var threshold: Float = 0.5

    public init() {}
    public init(_ threshold: Float) { self.threshold = threshold }

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("LuminanceThreshold.frag", PackageResources.LuminanceThreshold_frag),
                [.float("threshold", threshold), context.lumaUniform("weights")], isSteep: true))
    }
}
