/// Keeps a circular part of the picture sharp, and blurs the rest.
///
/// Source: GPUImage, `GPUImageGaussianSelectiveBlurFilter`: mix(c, blur, smoothstep(r - falloff, r, distance)).
public struct SelectiveBlur: Effect {
    public static let name = "selective-blur"
    public static let summary = "keeps a round part sharp"
    public static var parameters: [EffectParameter<SelectiveBlur>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", neutral: 0, "the blur's standard deviation"),
            EffectParameter(
                "circle", \.circle, in: 0...2, "the radius of the sharp part, in shares of the picture's shorter side"),
            EffectParameter(
                "falloff", \.falloff, in: 0.001...1, "the distance inside the circle at which the blur begins"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The blur's standard deviation, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 5
    /// The radius of the sharp circle, in shares of the picture's shorter side.
    public var circle: Float = 0.33
    /// The distance from the circle's edge inwards at which the blur begins, in shares of the picture's shorter side.
    public var falloff: Float = 0.17
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
                ShaderSource("SelectiveBlur.frag", PackageResources.SelectiveBlur_frag),
                [context.sidesUniform, .vector("circle", circle, falloff), .vector("center", centerX, centerY)]))
    }
}
