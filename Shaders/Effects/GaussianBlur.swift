/// Blurs with a gaussian bell.
///
/// The kernel is cut where its weight is below 1/512 of the centre's, and normalised.
public struct GaussianBlur: Effect {
    public static let name = "gaussian-blur"
    public static let summary = "blurs with a gaussian bell"
    public static var parameters: [EffectParameter<GaussianBlur>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", "the bell's standard deviation; 0 changes nothing")
        ]
    }

    /// The bell's standard deviation, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        Kernel.gaussian(sigma: context.pixels(radius)).map { .separable($0) } ?? .none
    }
}
