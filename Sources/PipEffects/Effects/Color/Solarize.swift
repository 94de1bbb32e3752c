/// Inverts dark parts, as in a photograph exposed to light during development.
///
/// Source: GPUImage, `GPUImageSolarizeFilter`: 1 - c where luma does not exceed a threshold.
public struct Solarize: Effect {
    public static let name = "solarize"
    public static let summary = "inverts dark parts"
    public static var parameters: [EffectParameter<Solarize>] {
        [EffectParameter("threshold", \.threshold, in: 0...1, "the highest luma of an inverted pixel")]
    }

    /// The highest luma of inverted pixels, 0…1.
    public var threshold: Float = 0.5

    public init() {}
    public init(_ threshold: Float) { self.threshold = threshold }

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("Solarize.frag", PackageResources.Solarize_frag),
                [.float("threshold", threshold), context.lumaUniform("weights")], isSteep: true))
    }
}
