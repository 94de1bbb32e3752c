/// Shows the strength of edges in red, and their direction in green (horizontal) and blue (vertical), rounded to 45°.
///
/// Source: GPUImage, `GPUImageDirectionalSobelEdgeDetectionFilter`: 0, 0.5 or 1 for a step backwards, none or forwards.
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
