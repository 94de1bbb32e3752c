/// Shows changes from frame to frame on black.
///
/// Source: GPUImage, `GPUImageHighPassFilter`: |c - low pass|.
public struct HighPass: Effect {
    public static let name = "high-pass"
    public static let summary = "shows changes over time, on black"
    public static var parameters: [EffectParameter<HighPass>] {
        [
            EffectParameter(
                "strength", \.strength, in: 0...0.99, "the weight of earlier frames in the average that is compared")
        ]
    }

    /// The weight of earlier frames in the average that each frame is compared with, from 0 to 0.99.
    public var strength: Float = 0.5

    public init() {}
    public init(_ strength: Float) { self.strength = strength }

    public func operation(in context: EffectContext) -> EffectOperation {
        .combine(
            with: [.temporal(LowPass.call(strength))],
            ShaderCall(ShaderSource("HighPass.frag", PackageResources.HighPass_frag)))
    }
}
