/// Shows the strength of edges in red and their direction, to the next eighth of a turn, in green (across) and blue
/// (down).
///
/// Source: GPUImage, `GPUImageDirectionalSobelEdgeDetectionFilter`: 0, a half or 1 for a step back, none or ahead.
public struct DirectionalSobel: Effect {
    public static let name = "directional-sobel"
    public static let summary = "shows the strength and the direction of edges"
    public static var parameters: [EffectParameter<DirectionalSobel>] {
        []
    }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("DirectionalSobel.frag", PackageResources.DirectionalSobel_frag),
                [context.luma]))
    }
}
