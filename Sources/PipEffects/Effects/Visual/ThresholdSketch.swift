/// Draws strong edges in pure black on white.
///
/// Source: GPUImage, `GPUImageThresholdSketchFilter`: 1 - step(threshold, gradient).
public struct ThresholdSketch: Effect {
    public static let name = "threshold-sketch"
    public static let summary = "draws strong edges in pure black on white"
    public static var parameters: [EffectParameter<ThresholdSketch>] {
        [
            EffectParameter("threshold", \.threshold, in: 0...4, "the smallest gradient of luma of an edge")
        ]
    }

    /// The smallest length of the Sobel gradient of luma that is drawn as an edge.
    public var threshold: Float = 0.25

    public init() {}
    public init(threshold: Float) { self.threshold = threshold }

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("ThresholdSketch.frag", PackageResources.ThresholdSketch_frag),
                [context.luma, .float("threshold", threshold)]))
    }
}
