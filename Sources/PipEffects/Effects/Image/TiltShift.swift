/// Blurs the picture above and below a band, so that the scene looks like a miniature.
///
/// Source: GPUImage, `GPUImageTiltShiftFilter`: mix(c, blur, 1 - smoothstep(top - f, top, y) + smoothstep(bottom,
/// bottom + f, y)).
public struct TiltShift: Effect {
    public static let name = "tilt-shift"
    public static let summary = "blurs above and below a sharp band"
    public static var parameters: [EffectParameter<TiltShift>] {
        [
            EffectParameter("radius", \.radius, in: 0...24, unit: "px", neutral: 0, "the blur's standard deviation"),
            EffectParameter("top", \.top, in: 0...1, "the upper edge of the band, in picture heights from the top"),
            EffectParameter(
                "bottom", \.bottom, in: 0...1, "the lower edge of the band, in picture heights from the top"),
            EffectParameter(
                "falloff", \.falloff, in: 0.001...1, "the distance from the band at which the blur is complete"),
        ]
    }

    /// The blur's standard deviation, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 7
    /// The upper edge of the sharp band, as a share of the picture's height from the top.
    public var top: Float = 0.4
    /// The lower edge of the sharp band, as a share of the picture's height from the top.
    public var bottom: Float = 0.6
    /// The distance from the band at which the blur is complete, as a share of the picture's height.
    public var falloff: Float = 0.2

    public init() {}
    public init(radius: Float, top: Float = 0.4, bottom: Float = 0.6, falloff: Float = 0.2) {
        self.radius = radius
        self.top = top
        self.bottom = bottom
        self.falloff = falloff
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard let blur = context.gaussian(radius) else { return .none }
        return .combine(
            with: [blur],
            ShaderCall(
                ShaderSource("TiltShift.frag", PackageResources.TiltShift_frag),
                [.vector("band", top, bottom, falloff)]))
    }
}
