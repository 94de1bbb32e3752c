/// Blurs with a Gaussian kernel, horizontally or vertically only.
///
/// Source: GPUPixel, `GaussianBlurMonoFilter`.
public struct LineBlur: Effect {
    public static let name = "line-blur"
    public static let summary = "blurs across or down only"
    public static var parameters: [EffectParameter<LineBlur>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", neutral: 0, "the blur's standard deviation"),
            EffectParameter("direction", \.direction, "the direction of the blur"),
        ]
    }

    /// The standard deviation of the Gaussian, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 4
    /// The direction of the blur: horizontal or vertical.
    public var direction = Direction.across

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        let deviation = min(context.pixels(radius), Kernel.largestDeviation)
        guard deviation > 0.15 else { return .none }
        return .kernel(GaussianKernel.weights(deviation: deviation), direction == .across ? .across : .down)
    }

    /// The direction of a ``LineBlur``: horizontal or vertical.
    public enum Direction: String, Sendable, CaseIterable {
        case across, down
    }
}
