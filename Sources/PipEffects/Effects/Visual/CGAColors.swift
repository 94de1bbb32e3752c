/// Reduces the picture to black, white, cyan and magenta on a grid of 320×200, like a CGA screen.
///
/// Source: GPUImage, `GPUImageCGAColorspaceFilter`: the nearest of black, white, (1/3, 1, 1) and (1, 1/3, 1).
public struct CGAColors: Effect {
    public static let name = "cga-colors"
    public static let summary = "shows four colours on a coarse grid, as on an old screen"
    public static var parameters: [EffectParameter<CGAColors>] {
        []
    }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .sequence([
            .warp(
                ShaderCall(
                    ShaderSource("Pixellate.frag", PackageResources.Pixellate_frag), [.vector("cell", 1 / 320, 1 / 200)]
                )),
            .pixel(ShaderCall(ShaderSource("CGAColors.frag", PackageResources.CGAColors_frag), isSteep: true)),
        ])
    }
}
