/// Contracts the picture towards a point, or magnifies the picture around the point.
///
/// Source: GPUImage, `GPUImagePinchDistortionFilter`: within the radius, the distance d from the centre is
/// multiplied by 1 + scale · (0.5 - d) / 0.5. Here the distortion ends at the radius without a step.
public struct Pinch: Effect {
    public static let name = "pinch"
    public static let summary = "contracts the picture towards a point"
    public static var parameters: [EffectParameter<Pinch>] {
        [
            EffectParameter(
                "scale", \.scale, in: -2...2, neutral: 0, "the strength of the contraction; negative values magnify"),
            EffectParameter("radius", \.radius, in: 0.001...4, "the radius, in shares of the picture's shorter side"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The strength, from -2 to 2: negative values magnify, 0 changes nothing.
    public var scale: Float = 0.5
    /// The radius of the changed circle, in shares of the picture's shorter side.
    public var radius: Float = 0.5
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}
    public init(scale: Float, radius: Float = 0.5) {
        self.scale = scale
        self.radius = radius
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if scale == 0 { return .none }
        return .warp(
            ShaderCall(
                ShaderSource("Pinch.frag", PackageResources.Pinch_frag),
                [.vector("pinch", scale, radius), .vector("center", centerX, centerY), context.sidesUniform]))
    }
}
