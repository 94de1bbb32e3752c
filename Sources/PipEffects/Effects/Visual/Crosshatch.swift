/// Draws with diagonal lines, which are denser where the picture is darker.
///
/// Source: GPUImage, `GPUImageCrosshatchFilter`: lines in one direction where luma is below 1, and more between them
/// below 0.5; lines in the other direction below 0.75 and 0.3. Here the lines have smooth edges.
public struct Crosshatch: Effect {
    public static let name = "crosshatch"
    public static let summary = "draws the picture with crossing lines"
    public static var parameters: [EffectParameter<Crosshatch>] {
        [
            EffectParameter(
                "spacing", \.spacing, in: 0.005...0.5,
                "the distance between lines, in shares of the picture's shorter side"),
            EffectParameter(
                "width", \.width, in: 0.0005...0.1, "the width of a line, in shares of the picture's shorter side"),
        ]
    }

    /// The distance between lines, in shares of the picture's shorter side.
    public var spacing: Float = 0.03
    /// The width of a line, in shares of the picture's shorter side.
    public var width: Float = 0.003

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("Crosshatch.frag", PackageResources.Crosshatch_frag),
                [context.luma, context.sidesUniform, .vector("lines", spacing, width)],
                isSteep: true))
    }
}
