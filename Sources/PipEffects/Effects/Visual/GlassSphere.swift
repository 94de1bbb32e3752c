/// Shows the picture upright in a shining glass ball on black.
///
/// Source: GPUImage, `GPUImageGlassSphereFilter`: twice the refraction, turned upright; a rim of 2.5 · (1 - z^0.25);
/// and a highlight of 0.8 · (light · normal)^15 at the lower left.
public struct GlassSphere: Effect {
    public static let name = "glass-sphere"
    public static let summary = "shows the picture through a shining ball"
    public static var parameters: [EffectParameter<GlassSphere>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0.01...2, "the radius of the ball, in shares of the picture's shorter side"),
            EffectParameter("index", \.index, in: 0.1...1, "the refractive index outside divided by the one inside"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The radius of the ball, in shares of the picture's shorter side.
    public var radius: Float = 0.4
    /// The ratio of the refractive indices outside and inside the ball.
    public var index: Float = 0.71
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        Sphere.operation(
            radius: radius, index: index, center: (centerX, centerY), isUpright: true, in: context)
    }
}
