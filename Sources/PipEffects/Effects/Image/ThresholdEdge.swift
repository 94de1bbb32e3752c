/// Draws strong edges in pure white on black.
///
/// Source: GPUImage2, `ThresholdSobelEdgeDetection`: step(threshold, strength · gradient), with the Sobel gradient of
/// luma. On iOS, GPUImage's `GPUImageThresholdEdgeDetectionFilter` takes differences of the four neighbours, which are
/// a quarter of Sobel's on a straight edge: multiply its threshold by four. Edges of either sign count.
public struct ThresholdEdge: Effect {
    public static let name = "threshold-edge"
    public static let summary = "draws strong edges in plain white on black"
    public static var parameters: [EffectParameter<ThresholdEdge>] {
        [
            EffectParameter("threshold", \.threshold, in: 0...4, "the smallest gradient of luma of an edge"),
            EffectParameter("strength", \.strength, in: 0...4, "the factor on the gradient"),
        ]
    }

    /// The smallest gradient of luma of an edge, after multiplication by `strength`.
    public var threshold: Float = 0.25
    /// The factor on the gradient's length, 0…4.
    public var strength: Float = 1

    public init() {}
    public init(threshold: Float, strength: Float = 1) {
        self.threshold = threshold
        self.strength = strength
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("ThresholdEdge.frag", PackageResources.ThresholdEdge_frag),
                [context.luma, .vector("edge", threshold, strength)]))
    }
}
