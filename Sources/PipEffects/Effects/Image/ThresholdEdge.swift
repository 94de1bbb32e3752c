/// Draws strong edges in plain white on black.
///
/// Source: GPUImage, `GPUImageThresholdEdgeDetectionFilter`: step(threshold, strength · gradient); here edges of either sign count.
public struct ThresholdEdge: Effect {
    public static let name = "threshold-edge"
    public static let summary = "draws strong edges in plain white on black"
    public static var parameters: [EffectParameter<ThresholdEdge>] {
        [
            EffectParameter("threshold", \.threshold, in: 0...4, "the gradient of luma from which on it is an edge"),
            EffectParameter("strength", \.strength, in: 0...4, "factor on the gradient"),
        ]
    }

    /// The gradient of luma from which on it is an edge.
    public var threshold: Float = 0.25
    /// Factor on the gradient.
    public var strength: Float = 1

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("ThresholdEdge.frag", PackageResources.ThresholdEdge_frag),
                [context.luma, .vector("edge", threshold, strength)]))
    }
}
