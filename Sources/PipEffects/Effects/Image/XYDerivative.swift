/// Shows the gradient of luma: the square of the horizontal slope in red, the square of the vertical slope in green,
/// and their product, centred on 0.5, in blue.
///
/// Source: GPUImage, `GPUImageXYDerivativeFilter`, with Prewitt's kernels: gx², gy², (gx·gy + 1) / 2. ``Corners`` uses
/// this gradient.
public struct XYDerivative: Effect {
    public static let name = "xy-derivative"
    public static let summary = "shows the products of luma's slopes across and down"
    public static var parameters: [EffectParameter<XYDerivative>] {
        [EffectParameter("strength", \.strength, in: 0...4, "the factor on the slopes")]
    }

    /// The factor on the slopes, before they are multiplied with each other.
    public var strength: Float = 1

    public init() {}
    public init(_ strength: Float) { self.strength = strength }

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(Self.call(strength, context))
    }

    static func call(_ strength: Float, _ context: EffectContext) -> ShaderCall {
        ShaderCall(
            ShaderSource("GradientProducts.frag", PackageResources.GradientProducts_frag),
            [context.luma, .float("strength", strength)], isWide: true)
    }
}
