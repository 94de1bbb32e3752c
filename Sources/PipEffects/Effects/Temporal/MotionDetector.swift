/// Marks moving pixels in white.
///
/// Source: GPUImage, `GPUImageMotionDetector`: pixels move where their colour differs from its low pass by 0.2 or more,
/// as a distance in RGB. The original writes positions to compute the centroid; here moving pixels are white.
public struct MotionDetector: Effect {
    public static let name = "motion-detector"
    public static let summary = "marks moving pixels in white"
    public static var parameters: [EffectParameter<MotionDetector>] {
        [
            EffectParameter("threshold", \.threshold, in: 0.004...1, "the smallest distance in RGB that is motion"),
            EffectParameter(
                "strength", \.strength, in: 0...0.99, "the weight of earlier frames in the average that is compared"),
        ]
    }

    /// The smallest distance between two colours that counts as motion, where red, green and blue are 0…1.
    public var threshold: Float = 0.2
    /// The weight of earlier frames in the average that each frame is compared with, from 0 to 0.99.
    public var strength: Float = 0.5

    public init() {}
    public init(threshold: Float, strength: Float = 0.5) {
        self.threshold = threshold
        self.strength = strength
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        .combine(
            with: [.temporal(LowPass.call(strength))],
            ShaderCall(
                ShaderSource("MotionDetector.frag", PackageResources.MotionDetector_frag),
                [.float("threshold", threshold)]))
    }
}
