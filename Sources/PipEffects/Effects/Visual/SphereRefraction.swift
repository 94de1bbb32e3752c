/// Shows the picture upside down, seen through a glass ball on black.
///
/// Source: GPUImage, `GPUImageSphereRefractionFilter`: the ray from the eye, refracted at the sphere's surface.
public struct SphereRefraction: Effect {
    public static let name = "sphere-refraction"
    public static let summary = "shows the picture upside down, through a glass ball"
    public static var parameters: [EffectParameter<SphereRefraction>] {
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
            radius: radius, index: index, center: (centerX, centerY), isUpright: false, in: context)
    }
}
