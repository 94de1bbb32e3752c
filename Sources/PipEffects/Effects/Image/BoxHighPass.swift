/// Shows the detail of a picture: the squared difference of each pixel from the mean around it.
///
/// Source: GPUPixel, `BoxHighPassFilter` and `BoxDifferenceFilter`: min(((c - mean) · delta)², 1).
public struct BoxHighPass: Effect {
    public static let name = "box-high-pass"
    public static let summary = "shows where a picture has detail"
    public static var parameters: [EffectParameter<BoxHighPass>] {
        [
            EffectParameter("radius", \.radius, in: 0.5...40, unit: "px", "the radius of the mean"),
            EffectParameter("delta", \.delta, in: 0...50, "the factor on the difference from the mean"),
        ]
    }

    /// The radius of the mean, in pixels of the picture.
    public var radius: Float = 4
    /// The factor on the difference, before it is squared.
    public var delta: Float = 7.07

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .combine(
            with: [Kernel.box(radius: context.pixels(radius)).map { .separable($0) } ?? .none],
            ShaderCall(ShaderSource("Detail.frag", PackageResources.Detail_frag), [.float("factor", delta)]))
    }
}
