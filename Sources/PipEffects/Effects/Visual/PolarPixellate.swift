/// Pixellates in polar coordinates: shows segments of rings around a point, each segment in one colour.
///
/// Source: GPUImage, `GPUImagePolarPixellateFilter`: radius and angle are quantised; here each segment has the colour
/// of its centre.
public struct PolarPixellate: Effect {
    public static let name = "polar-pixellate"
    public static let summary = "shows segments of rings around a point, each in one colour"
    public static var parameters: [EffectParameter<PolarPixellate>] {
        [
            EffectParameter(
                "size", \.size, in: 0.002...0.5, "the width of a ring, in shares of the picture's shorter side"),
            EffectParameter("angle", \.angle, in: 0.5...90, unit: "°", "the angle of a ring segment"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The width of a ring, in shares of the picture's shorter side.
    public var size: Float = 0.05
    /// The angle that a ring segment spans, in degrees.
    public var angle: Float = 6
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .warp(
            ShaderCall(
                ShaderSource("PolarPixellate.frag", PackageResources.PolarPixellate_frag),
                [.vector("piece", size, angle * .pi / 180), .vector("center", centerX, centerY), context.sidesUniform]))
    }
}
