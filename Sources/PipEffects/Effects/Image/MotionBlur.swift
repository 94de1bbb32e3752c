internal import Glibc

/// Blurs along a direction, as if the camera moved.
///
/// Source: GPUImage, `GPUImageMotionBlurFilter`: nine samples with weights of 0.18, 0.15, 0.12, 0.09 and 0.05.
public struct MotionBlur: Effect {
    public static let name = "motion-blur"
    public static let summary = "blurs along a direction"
    public static var parameters: [EffectParameter<MotionBlur>] {
        [
            EffectParameter("size", \.size, in: 0...20, unit: "px", neutral: 0, "the distance between samples"),
            EffectParameter("angle", \.angle, in: -360...360, unit: "°", "the direction, clockwise from the right"),
        ]
    }

    /// The distance between samples, in pixels of the picture; 0 changes nothing.
    public var size: Float = 2.5
    /// The direction in degrees, clockwise from the right.
    public var angle: Float = 0

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        let step = context.pixels(size)
        guard step > 0.01 else { return .none }
        let turn = Double(angle) * .pi / 180
        return .sampler(
            ShaderCall(
                ShaderSource("MotionBlur.frag", PackageResources.MotionBlur_frag),
                [.vector("stride", Float(step * cos(turn)), Float(step * sin(turn)))]))
    }
}
