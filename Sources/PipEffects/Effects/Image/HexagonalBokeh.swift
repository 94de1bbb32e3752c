/// Blurs like a lens with six aperture blades: bright points become hexagons.
///
/// Source: MetalPetal, `MTIHexagonalBokehBlurFilter`; here in one pass of 61 samples: the centre, and 60 samples on
/// four hexagons. A sample's weight is 1 + brightness · luma⁴ · 10.
public struct HexagonalBokeh: Effect {
    public static let name = "hexagonal-bokeh"
    public static let summary = "blurs like a lens with six blades"
    public static var parameters: [EffectParameter<HexagonalBokeh>] {
        [
            EffectParameter("radius", \.radius, in: 0...40, unit: "px", neutral: 0, "the radius of the hexagon"),
            EffectParameter("brightness", \.brightness, in: 0...4, "the factor on the extra weight of bright points"),
            EffectParameter("angle", \.angle, in: -360...360, unit: "°", "the rotation of the hexagon"),
        ]
    }

    /// The radius of the hexagon, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 8
    /// The factor on the extra weight of bright points; 0 weights all points equally.
    public var brightness: Float = 0.5
    /// The rotation of the hexagon, in degrees.
    public var angle: Float = 0

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        let reach = context.pixels(radius)
        guard reach > 0.05 else { return .none }
        return .sampler(
            ShaderCall(
                ShaderSource("HexagonalBokeh.frag", PackageResources.HexagonalBokeh_frag),
                [context.luma, .vector("bokeh", Float(reach), 10 * brightness, angle * .pi / 180)]))
    }
}
