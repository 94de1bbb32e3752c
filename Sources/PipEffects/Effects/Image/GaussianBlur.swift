/// Blurs with a Gaussian kernel.
///
/// The kernel is cut off where the remainder is below 1/256 of the sum, and normalised. Large kernels are applied at a
/// reduced size where that costs less; at full effect quality, the difference is below one 8-bit step.
public struct GaussianBlur: Effect {
    public static let name = "gaussian-blur"
    public static let summary = "blurs with a Gaussian kernel"
    public static var parameters: [EffectParameter<GaussianBlur>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", neutral: 0, "the blur's standard deviation")
        ]
    }

    /// The standard deviation of the Gaussian, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        context.gaussian(radius) ?? .none
    }
}
