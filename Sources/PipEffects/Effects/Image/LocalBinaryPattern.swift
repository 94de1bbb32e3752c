/// Shows texture by eight bits, one for each pixel around that is as bright as the middle.
///
/// Source: GPUImage, `GPUImageLocalBinaryPatternFilter`: bits from 1 at the upper right, anticlockwise.
public struct LocalBinaryPattern: Effect {
    public static let name = "local-binary-pattern"
    public static let summary = "shows texture by comparing each pixel with those around"
    public static var parameters: [EffectParameter<LocalBinaryPattern>] {
        [
            EffectParameter("color", \.isColored, "for red, green and blue apart")
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
