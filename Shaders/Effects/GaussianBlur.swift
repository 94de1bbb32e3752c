internal import Glibc

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
        let sigma = Double(radius) * context.scale
        guard sigma > 0.15 else { return .none }
        let reach = Int((sigma * sqrt(2 * log(512))).rounded(.up))
        var weights = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        for index in weights.indices { weights[index] /= sum }
        return .separable(weights)
    }
}
