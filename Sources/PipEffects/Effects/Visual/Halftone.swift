/// Prints black dots on white, which are larger in dark parts.
///
/// Source: GPUImage, `GPUImageHalftoneFilter`: each cell has a disc whose radius is (1 - luma of the cell's centre) ·
/// half a cell; here with smooth edges.
public struct Halftone: Effect {
    public static let name = "halftone"
    public static let summary = "prints black dots on white"
    public static var parameters: [EffectParameter<Halftone>] {
        [
            EffectParameter(
                "size", \.size, in: 0.002...0.5, "the side of a cell, in shares of the picture's shorter side")
        ]
    }

    /// The side of a dot's cell, in shares of the picture's shorter side.
    public var size: Float = 0.02

    public init() {}
    public init(size: Float) { self.size = size }

    public func operation(in context: EffectContext) -> EffectOperation {
        let cell = Uniform.vector("cell", size / Float(context.sides.x), size / Float(context.sides.y))
        return .sequence([
            .warp(ShaderCall(ShaderSource("Pixellate.frag", PackageResources.Pixellate_frag), [cell])),
            .pixel(
                ShaderCall(
                    ShaderSource("Halftone.frag", PackageResources.Halftone_frag),
                    [cell, context.luma, context.sidesUniform], isSteep: true)),
        ])
    }
}
