/// Blurs a circular part of the picture, and keeps the rest sharp.
///
/// Source: GPUImage, `GPUImageGaussianBlurPositionFilter`. Here the blur fades out over a tenth of the circle's radius.
public struct BlurPosition: Effect {
    public static let name = "blur-position"
    public static let summary = "blurs a round part"
    public static var parameters: [EffectParameter<BlurPosition>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", neutral: 0, "the blur's standard deviation"),
            EffectParameter(
                "circle", \.circle, in: 0.01...2,
                "the radius of the blurred part, in shares of the picture's shorter side"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The blur's standard deviation, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 4
    /// The radius of the blurred circle, in shares of the picture's shorter side.
    public var circle: Float = 0.33
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        guard let blur = context.gaussian(radius) else { return .none }
        return .combine(
            with: [blur],
            ShaderCall(
                ShaderSource("BlurPosition.frag", PackageResources.BlurPosition_frag),
                [context.sidesUniform, .float("circle", circle), .vector("center", centerX, centerY)]))
    }
}
