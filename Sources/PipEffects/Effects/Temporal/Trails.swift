/// Lets light fade slowly, as on an old radar screen.
///
/// The larger of the colour and the last result times `persistence`.
public struct Trails: Effect {
    public static let name = "trails"
    public static let summary = "lets light fade slowly"
    public static var parameters: [EffectParameter<Trails>] {
        [EffectParameter("persistence", \.persistence, in: 0...0.99, neutral: 0, "what is left after a frame")]
    }

    /// The share of light that is left after a frame; 0 changes nothing.
    public var persistence: Float = 0.9

    public init() {}
    public init(_ persistence: Float) { self.persistence = persistence }

    public func operation(in context: EffectContext) -> EffectOperation {
        if persistence == 0 { return .none }
        return .temporal(
            ShaderCall(
                ShaderSource("Trails.frag", PackageResources.Trails_frag), [.float("persistence", persistence)]))
    }
}
