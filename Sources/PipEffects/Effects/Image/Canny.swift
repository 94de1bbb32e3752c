/// Draws edges as thin lines.
///
/// Source: GPUImage, `GPUImageCannyEdgeDetectionFilter`: a blur, ``DirectionalSobel``, then what is largest across its
/// edge and smoothstep(lower, upper, size), then what has neighbours: a sum of 1.5 in 3×3.
public struct Canny: Effect {
    public static let name = "canny"
    public static let summary = "draws edges as thin lines"
    public static var parameters: [EffectParameter<Canny>] {
        [
            EffectParameter("radius", \.radius, in: 0...24, unit: "px", "the blur's standard deviation"),
            EffectParameter("upper", \.upper, in: 0.01...4, "the gradient of luma from which on an edge is certain"),
            EffectParameter("lower", \.lower, in: 0...4, "the gradient below which there is none"),
        ]
    }

    /// The blur's standard deviation.
    public var radius: Float = 2
    /// The least gradient of luma of a certain edge.
    public var upper: Float = 0.4
    /// The gradient below which there is no edge.
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
