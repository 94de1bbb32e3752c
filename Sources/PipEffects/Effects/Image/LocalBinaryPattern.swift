/// Shows texture by eight bits, one for each neighbour that is at least as bright as the pixel.
///
/// Source: GPUImage, `GPUImageLocalBinaryPatternFilter`: the lowest bit is the upper right neighbour; the others follow
/// anticlockwise.
public struct LocalBinaryPattern: Effect {
    public static let name = "local-binary-pattern"
    public static let summary = "shows texture by comparing each pixel with its neighbours"
    public static var parameters: [EffectParameter<LocalBinaryPattern>] {
        [
            EffectParameter("color", \.isColored, "whether red, green and blue are compared separately")
        ]
    }

    /// True to compare red, green and blue separately.
    public var isColored: Bool = false

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("LocalBinaryPattern.frag", PackageResources.LocalBinaryPattern_frag),
                [context.luma, .float("isColored", isColored ? 1 : 0)]))
    }
}
