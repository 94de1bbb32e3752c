/// Prints halftone dots in cyan, magenta and yellow, each on a screen of another angle.
///
/// Source: MetalPetal, `MTIColorHalftoneFilter`: a rotated screen for each channel; here 0.5 + 0.25 (cos u + cos v),
/// 30° apart.
public struct ColorHalftone: Effect {
    public static let name = "color-halftone"
    public static let summary = "prints dots of cyan, magenta and yellow"
    public static var parameters: [EffectParameter<ColorHalftone>] {
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
                ShaderSource("ColorHalftone.frag", PackageResources.ColorHalftone_frag),
                [context.sidesUniform, .vector("dots", size, angle * .pi / 180)],
                isSteep: true))
    }
}
