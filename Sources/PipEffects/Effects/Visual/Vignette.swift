/// Darkens a frame towards its corners.
///
/// Source: GPUImage, `GPUImageVignetteFilter`: mix(c, black, smoothstep(start, end, distance from the centre)), here times a strength.
public struct Vignette: Effect {
    public static let name = "vignette"
    public static let summary = "darkens towards the corners"
    public static var parameters: [EffectParameter<Vignette>] {
        [
            EffectParameter("strength", \.strength, in: 0...1, neutral: 0, "1 is the full colour at the end"),
            EffectParameter("start", \.start, in: 0...1, "distance from the centre at which darkening starts"),
            EffectParameter("end", \.end, in: 0.01...2, "distance at which it is complete"),
        ]
    }

    /// From 0 (unchanged) to 1 (black beyond `end`).
    public var strength: Float = 1
    /// Distance from the centre, in picture widths and heights, where darkening starts.
    public var start: Float = 0.3
    /// Distance where it is complete.
    ///
    /// A corner is at 0.707.
    public var end: Float = 0.75

    public init() {}
    public init(strength: Float, start: Float = 0.3, end: Float = 0.75) {
        self.strength = strength
        self.start = start
        self.end = end
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if strength == 0 { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("Vignette.frag", PackageResources.Vignette_frag),
                [.float("strength", strength), .vector("range", start, max(end, start + 0.001))]))
    }
}
