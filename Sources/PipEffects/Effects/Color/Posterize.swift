/// Reduces each component to a few levels.
///
/// Source: GPUImage, `GPUImagePosterizeFilter`: floor(c·n + 0.5) / n.
public struct Posterize: Effect {
    public static let name = "posterize"
    public static let summary = "leaves few levels of each colour"
    public static var parameters: [EffectParameter<Posterize>] {
        [EffectParameter("levels", \.levels, in: 1...256, "the number of steps from black to white")]
    }

    /// The number of steps from black to white, 1…256.
    public var levels = 4

    public init() {}
    public init(levels: Int) { self.levels = levels }

    public func operation(in context: EffectContext) -> EffectOperation {
        // A function is cheaper than a curve, whose table cannot place a step exactly.
        .pixel(
            ShaderCall(
                ShaderSource("Posterize.frag", PackageResources.Posterize_frag),
                [.float("levels", Float(max(levels, 1)))], isSteep: true))
    }
}
