/// Twists the picture around a point, most at the centre.
///
/// Source: GPUImage, `GPUImageSwirlFilter`: a rotation by angle · ((r - d) / r)²; here circles stay round at every
/// aspect ratio.
public struct Swirl: Effect {
    public static let name = "swirl"
    public static let summary = "twists the picture around a point"
    public static var parameters: [EffectParameter<Swirl>] {
        [
            EffectParameter("angle", \.angle, in: -1440...1440, unit: "°", neutral: 0, "the rotation at the centre"),
            EffectParameter(
                "radius", \.radius, in: 0.001...4,
                "the radius of the twisted part, in shares of the picture's shorter side"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The rotation at the centre, in degrees; 0 changes nothing.
    public var angle: Float = 180
    /// The radius of the twisted circle, in shares of the picture's shorter side.
    public var radius: Float = 0.5
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}
    public init(angle: Float, radius: Float = 0.5) {
        self.angle = angle
        self.radius = radius
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if angle == 0 { return .none }
        return .warp(
            ShaderCall(
                ShaderSource("Swirl.frag", PackageResources.Swirl_frag),
                [
                    .vector("swirl", angle * .pi / 180, radius), .vector("center", centerX, centerY),
                    context.sidesUniform,
                ]))
    }
}
