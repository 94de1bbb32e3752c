internal import Glibc

/// Raises each component to a power: an exponent above 1 darkens the midtones, below 1 lightens them.
///
/// Source: GPUImage, `GPUImageGammaFilter`: c^g, for c in 0…1.
public struct Gamma: Effect {
    public static let name = "gamma"
    public static let summary = "bends the brightness curve: above 1 darkens the middle"
    public static var parameters: [EffectParameter<Gamma>] {
        [EffectParameter("gamma", \.gamma, in: 0.05...5, neutral: 1, "the exponent")]
    }

    /// The exponent; 1 changes nothing.
    public var gamma: Float = 0.6

    public init() {}
    public init(_ gamma: Float) { self.gamma = gamma }

    public func operation(in context: EffectContext) -> EffectOperation {
        if gamma == 1 { return .none }
        let exponent = Double(gamma)
        return .curve(Curve(label: "gamma \(gamma)") { pow($0, exponent) })
    }
}
