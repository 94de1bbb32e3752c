/// Makes light fade slowly, like an old radar screen.
///
/// The result is the larger of the pixel's colour and `persistence` times the previous frame's result.
public struct Trails: Effect {
    public static let name = "trails"
    public static let summary = "makes light fade slowly"
    public static var parameters: [EffectParameter<Trails>] {
        [
            EffectParameter(
                "persistence", \.persistence, in: 0...0.99, neutral: 0, "the share of light that remains after a frame")
        ]
    }

    /// The share of light that remains after one frame; 0 changes nothing.
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
