/// Blurs among similar colours: each pixel becomes the mean of the surrounding pixels of similar colour.
///
/// Source: MetalPetal, `MTISurfaceBlurFilter`: weights max(0, 1 - |difference| / (2.5 · threshold)), for red, green and
/// blue separately.
public struct SurfaceBlur: Effect {
    public static let name = "surface-blur"
    public static let summary = "blurs among similar colours"
    public static var parameters: [EffectParameter<SurfaceBlur>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...12, unit: "px", neutral: 0,
                "the distance from the window's centre to its edge"),
            EffectParameter(
                "threshold", \.threshold, in: 0.01...1,
                "the scale of similarity: 2.5 times this difference does not count"),
        ]
    }

    /// The distance from the window's centre to its edge, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 4
    /// The similarity threshold: pixels count less with growing difference, and not at all beyond 2.5 times the
    /// threshold.
    public var threshold: Float = 0.1

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        context.window(radius, longest: 12) { reach in
            .sampler(
                ShaderCall(
                    ShaderSource("SurfaceBlur.frag", PackageResources.SurfaceBlur_frag),
                    [.vector("reach", reach, 1 / (2.5 * threshold))]))
        }
    }
}
