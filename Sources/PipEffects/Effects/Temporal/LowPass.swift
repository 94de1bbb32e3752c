/// Averages over time, which reduces noise and makes motion leave a trail.
///
/// Source: GPUImage, `GPUImageLowPassFilter`: mix(c, previous result, strength).
public struct LowPass: Effect {
    public static let name = "low-pass"
    public static let summary = "averages over time: reduces noise, and motion leaves a trail"
    public static var parameters: [EffectParameter<LowPass>] {
        [EffectParameter("strength", \.strength, in: 0...0.99, neutral: 0, "the weight of earlier frames")]
    }

    /// The weight of earlier frames, from 0 (unchanged) to 0.99.
    public var strength: Float = 0.5

    public init() {}
    public init(_ strength: Float) { self.strength = strength }

    public func operation(in context: EffectContext) -> EffectOperation {
        strength == 0 ? .none : .temporal(Self.call(strength))
    }

    static func call(_ strength: Float) -> ShaderCall {
        ShaderCall(ShaderSource("LowPass.frag", PackageResources.LowPass_frag), [.float("strength", strength)])
    }
}
