/// Magnifies a circular part of the picture, or reduces it.
///
/// Source: GPUImage, `GPUImageBulgeDistortionFilter`: within the radius, the distance d from the centre is
/// multiplied by (1 - scale · (r - d) / r)².
public struct Bulge: Effect {
    public static let name = "bulge"
    public static let summary = "magnifies a round part"
    public static var parameters: [EffectParameter<Bulge>] {
        [
            EffectParameter(
                "scale", \.scale, in: -1...1, neutral: 0, "the strength of the magnification; negative values shrink"),
            EffectParameter("radius", \.radius, in: 0.001...4, "the radius, in shares of the picture's shorter side"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The strength, from -1 to 1: negative values reduce, 0 changes nothing.
    public var scale: Float = 0.5
    /// The radius of the changed circle, in shares of the picture's shorter side.
    public var radius: Float = 0.25
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}
    public init(scale: Float, radius: Float = 0.25) {
        self.scale = scale
        self.radius = radius
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if scale == 0 { return .none }
        return .warp(
            ShaderCall(
                ShaderSource("Bulge.frag", PackageResources.Bulge_frag),
                [.vector("bulge", scale, radius), .vector("center", centerX, centerY), context.sidesUniform]))
    }
}
