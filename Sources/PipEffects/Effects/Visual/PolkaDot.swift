/// Shows dots of one colour each on black.
///
/// Source: GPUImage, `GPUImagePolkaDotFilter`: each cell has a disc in the colour of the cell's centre; here with
/// smooth edges.
public struct PolkaDot: Effect {
    public static let name = "polka-dot"
    public static let summary = "shows dots of one colour on black"
    public static var parameters: [EffectParameter<PolkaDot>] {
        [
            EffectParameter(
                "size", \.size, in: 0.002...0.5, "the side of a cell, in shares of the picture's shorter side"),
            EffectParameter(
                "scaling", \.scaling, in: 0.05...1.4, "the diameter of a dot, as a share of its cell's side"),
        ]
    }

    /// The side of a dot's cell, in shares of the picture's shorter side.
    public var size: Float = 0.05
    /// The diameter of a dot, as a share of its cell's side.
    public var scaling: Float = 0.9

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        let cell = Uniform.vector("cell", size / Float(context.sides.x), size / Float(context.sides.y))
        return .sequence([
            .warp(ShaderCall(ShaderSource("Pixellate.frag", PackageResources.Pixellate_frag), [cell])),
            .pixel(
                ShaderCall(
                    ShaderSource("PolkaDot.frag", PackageResources.PolkaDot_frag),
                    [cell, .float("scaling", scaling), context.sidesUniform])),
        ])
    }
}
