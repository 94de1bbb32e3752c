/// Prints a halftone of black dots, which merge in dark parts.
///
/// Source: MetalPetal, `MTIDotScreenFilter`: luma compared with a rotated screen; here 0.5 + 0.25 (cos u + cos v), with
/// edges of one pixel.
public struct DotScreen: Effect {
    public static let name = "dot-screen"
    public static let summary = "prints black dots on white, which merge in dark parts"
    public static var parameters: [EffectParameter<DotScreen>] {
        [
            EffectParameter(
                "size", \.size, in: 0.004...0.5, "the distance between dots, in shares of the picture's shorter side"),
            EffectParameter("angle", \.angle, in: -360...360, unit: "°", "the angle of the dots' rows, clockwise"),
        ]
    }

    /// The distance between dots, in shares of the picture's shorter side.
    public var size: Float = 0.03
    /// The angle of the dots' rows, in degrees clockwise.
    public var angle: Float = 45

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("DotScreen.frag", PackageResources.DotScreen_frag),
                [context.luma, context.sidesUniform, .vector("dots", size, angle * .pi / 180)],
                isSteep: true))
    }
}
