/// Shows the difference of each pixel from its eight neighbours, on grey.
///
/// Source: GPUImage, `GPUImageLaplacianFilter`: the kernel (0.5, 1, 0.5; 1, -6, 1; 0.5, 1, 0.5) plus 0.5.
public struct Laplacian: Effect {
    public static let name = "laplacian"
    public static let summary = "shows the difference of each pixel from its neighbours"
    public static var parameters: [EffectParameter<Laplacian>] {
        []
    }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("Laplacian.frag", PackageResources.Laplacian_frag)))
    }
}
