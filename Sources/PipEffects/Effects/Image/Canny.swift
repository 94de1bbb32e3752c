/// Draws edges as thin lines.
///
/// Source: GPUImage, `GPUImageCannyEdgeDetectionFilter`: a blur and ``DirectionalSobel``; then non-maximum suppression
/// across the edge with smoothstep(lower, upper, gradient); then removal of pixels without edge pixels beside them, by
/// a sum of 1.5 in 3×3.
public struct Canny: Effect {
    public static let name = "canny"
    public static let summary = "draws edges as thin lines"
    public static var parameters: [EffectParameter<Canny>] {
        [
            EffectParameter("radius", \.radius, in: 0...24, unit: "px", "the blur's standard deviation"),
            EffectParameter("upper", \.upper, in: 0.01...4, "the gradient of luma of an edge of full strength"),
            EffectParameter("lower", \.lower, in: 0...4, "the gradient of luma below which there is no edge"),
        ]
    }

    /// The blur's standard deviation, in pixels of the picture.
    public var radius: Float = 2
    /// The gradient of luma from which on a pixel has the full strength of an edge.
    public var upper: Float = 0.4
    /// The gradient of luma below which a pixel belongs to no edge.
    public var lower: Float = 0.1

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        let sobel = ShaderCall(
            ShaderSource("DirectionalSobel.frag", PackageResources.DirectionalSobel_frag), [context.luma],
            isWide: true)
        let thin = ShaderCall(
            ShaderSource("CannyThin.frag", PackageResources.CannyThin_frag),
            [.vector("range", lower, max(upper, lower + 0.001))])
        let link = ShaderCall(ShaderSource("CannyLink.frag", PackageResources.CannyLink_frag))
        return .sequence([
            context.gaussian(radius) ?? .none, .neighbourhood(sobel), .neighbourhood(thin), .neighbourhood(link),
        ])
    }
}
