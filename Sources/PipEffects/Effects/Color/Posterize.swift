/// Leaves few levels of each component.
///
/// Source: GPUImage, `GPUImagePosterizeFilter`: floor(c·n + 0.5) / n.
public struct Posterize: Effect {
    public static let name = "posterize"
    public static let summary = "leaves few levels of each colour"
    public static var parameters: [EffectParameter<Posterize>] {
        [EffectParameter("levels", \.levels, in: 1...256, "steps from black to white")]
    }

    /// Steps from black to white.
    public var levels = 4

    public init() {}
    public init(levels: Int) { self.levels = levels }

    public func operation(in context: EffectContext) -> EffectOperation {
        // Not a curve: a table cannot say where exactly a step is, and this costs less.
        .pixel(
            ShaderCall(
                ShaderSource("Posterize.frag", PackageResources.Posterize_frag),
                [.float("levels", Float(max(levels, 1)))], isSteep: true))
    }
}
