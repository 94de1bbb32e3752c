internal import PipFrames

/// Reduces the number of bits, with ordered dithering instead of banding.
///
/// Source: B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures" (1973), with an 8×8
/// matrix; amplitude of half a step as in Movit's dither effect.
public struct Dither: Effect {
    public static let name = "dither"
    public static let summary = "rounds components to few bits, with a pattern instead of bands"
    public static var parameters: [EffectParameter<Dither>] {
        [EffectParameter("bits", \.bits, in: 1...8, "the bits of each component; 8 leaves 8-bit RGB unchanged")]
    }

    /// The number of bits for each component, 1…8.
    public var bits = 2

    public init() {}
    public init(bits: Int) { self.bits = bits }

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("Dither.frag", PackageResources.Dither_frag),
                [
                    .float("levels", Float((1 << min(max(bits, 1), 8)) - 1)),
                    .vector("size", Float(context.size.width), Float(context.size.height)),
                ], isSteep: true))
    }
}
