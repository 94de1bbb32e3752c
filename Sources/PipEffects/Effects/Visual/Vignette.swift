public import PipFrames

/// Darkens a frame towards its corners, or tints the corners.
///
/// Source: GPUImage, `GPUImageVignetteFilter`: mix(c, colour, smoothstep(start, end, distance from the centre)), here
/// multiplied by a strength.
public struct Vignette: Effect {
    public static let name = "vignette"
    public static let summary = "darkens the picture towards its corners"
    public static var parameters: [EffectParameter<Vignette>] {
        [
            EffectParameter(
                "strength", \.strength, in: 0...1, neutral: 0, "the strength; 1 is the full colour at the end distance"),
            EffectParameter("start", \.start, in: 0...1, "the distance from the centre at which darkening starts"),
            EffectParameter("end", \.end, in: 0.01...2, "the distance from the centre at which darkening is complete"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
            EffectParameter("color", \.color, "the colour of the corners"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1 (`color` alone beyond `end`).
    public var strength: Float = 1
    /// The distance from the centre, in picture widths and heights, at which darkening starts.
    public var start: Float = 0.3
    /// The distance from the centre at which darkening is complete, in the units of ``start``.
    ///
    /// The corners are at 0.707 where the centre is in the middle.
    public var end: Float = 0.75
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5
    /// The colour of the corners, whose alpha is ignored.
    public var color = Color.black

    public init() {}
    public init(strength: Float, start: Float = 0.3, end: Float = 0.75, color: Color = .black) {
        self.strength = strength
        self.start = start
        self.end = end
        self.color = color
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if strength == 0 { return .none }
        let place: [Uniform] = [
            .vector("shape", start, max(end, start + 0.001), strength), .vector("center", centerX, centerY),
        ]
        // Black has a shader of its own, which needs less arithmetic.
        if color == .black {
            var call = ShaderCall(ShaderSource("VignetteToBlack.frag", PackageResources.VignetteToBlack_frag), place)
            call.isShade = (0...1).contains(strength)
            return .pixel(call)
        }
        return .pixel(
            ShaderCall(
                ShaderSource("Vignette.frag", PackageResources.Vignette_frag), place + [.color("tint", color)]))
    }
}
