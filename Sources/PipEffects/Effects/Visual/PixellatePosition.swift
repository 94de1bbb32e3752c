/// Pixellates the picture within a circle, to hide a face or a number plate.
///
/// Source: GPUImage, `GPUImagePixellatePositionFilter`.
public struct PixellatePosition: Effect {
    public static let name = "pixellate-position"
    public static let summary = "shows squares of one colour within a circle"
    public static var parameters: [EffectParameter<PixellatePosition>] {
        [
            EffectParameter(
                "size", \.size, in: 0...0.5, neutral: 0, "the side of a square, in shares of the picture's shorter side"
            ),
            EffectParameter(
                "radius", \.radius, in: 0.001...4, "the radius of the circle, in shares of the picture's shorter side"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The side of a square, in shares of the picture's shorter side; 0 changes nothing.
    public var size: Float = 0.05
    /// The radius of the circle, in shares of the picture's shorter side.
    public var radius: Float = 0.25
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        if size <= 0 { return .none }
        return .warp(
            ShaderCall(
                ShaderSource("PixellatePosition.frag", PackageResources.PixellatePosition_frag),
                [
                    .vector("cell", size / Float(context.sides.x), size / Float(context.sides.y)),
                    .float("radius", radius), .vector("center", centerX, centerY), context.sidesUniform,
                ]))
    }
}
