/// Compares each pixel with a ring of eight pixels at a distance of about 3: the ColourFAST feature descriptor.
///
/// Source: GPUImage2, `ColourFASTFeatureDetection`, after Seth Hall, "GPU accelerated feature algorithms for mobile
/// devices". The difference is the colour (the ring's mean - c + 1) / 2. The direction is a grey (the original's
/// alpha): the angle of Σ p · x and Σ p · y, weighted by |mean - c|, where 0…1 is a full turn, 0.5 points right, and
/// 0.75 down.
public struct ColorFAST: Effect {
    public static let name = "color-fast"
    public static let summary = "compares each pixel with a ring around it"
    public static var parameters: [EffectParameter<ColorFAST>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", "the radius of a box blur before the comparison"),
            EffectParameter(
                "show", \.show, "the difference from the ring, or the direction in which the ring's colours lean"),
        ]
    }

    /// The radius of a box blur before the comparison, in pixels of the picture.
    ///
    /// The blur softens the pixel and the ring.
    ///
    /// GPUImage blurs, too, but its shader reads only the sharp picture: 0 gives GPUImage's result.
    public var radius: Float = 0
    /// The result to draw: the pixel's difference from the ring, or the direction in which the ring's colours lean.
    public var show = Aspect.difference

    public init() {}
    public init(radius: Float, show: Aspect = .difference) {
        self.radius = radius
        self.show = show
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let box = Kernel.box(radius: context.pixels(radius)).map { EffectOperation.separable($0) }
        let ring = ShaderCall(
            ShaderSource("ColorFAST.frag", PackageResources.ColorFAST_frag),
            [.vector("how", Float(context.scale), show == .direction ? 1 : 0)], isSteep: true)
        return .sequence([box ?? .none, .sampler(ring)])
    }

    /// The result that ``ColorFAST`` draws.
    ///
    /// The result is the pixel's difference from the ring, or the direction in which the ring's colours lean.
    public enum Aspect: String, Sendable, CaseIterable {
        case difference, direction
    }
}
