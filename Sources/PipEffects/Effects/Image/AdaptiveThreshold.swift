/// Turns a picture black and white by comparing each pixel with the mean around it, which keeps text readable in uneven
/// light.
///
/// Source: GPUImage, `GPUImageAdaptiveThresholdFilter`: step(mean of luma - 0.05, luma).
public struct AdaptiveThreshold: Effect {
    public static let name = "adaptive-threshold"
    public static let summary = "makes pixels black or white by the mean around each, as for text"
    public static var parameters: [EffectParameter<AdaptiveThreshold>] {
        [
            EffectParameter("radius", \.radius, in: 0.5...40, unit: "px", "the radius of the mean"),
            EffectParameter(
                "offset", \.offset, in: -1...1, "the difference by which a white pixel may be darker than the mean"),
        ]
    }

    /// The radius of the mean, in pixels of the picture.
    public var radius: Float = 4
    /// The difference by which the luma of a white pixel may be below the mean.
    public var offset: Float = 0.05

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .combine(
            with: [Kernel.box(radius: context.pixels(radius)).map { .separable($0) } ?? .none],
            ShaderCall(
                ShaderSource("AdaptiveThreshold.frag", PackageResources.AdaptiveThreshold_frag),
                [context.luma, .float("offset", offset)]))
    }
}
