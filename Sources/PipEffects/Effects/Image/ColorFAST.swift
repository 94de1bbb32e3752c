/// Compares each pixel with a ring of eight, 3 pixels around it: the ColourFAST descriptor of features.
///
/// Source: GPUImage2, `ColourFASTFeatureDetection`, after Seth Hall, "GPU accelerated feature algorithms for mobile
/// devices": (the ring's mean - c + 1) / 2 as a colour; or, as a gray (the original's alpha), the direction in which
/// colours lean: Σ p · x and Σ p · y weighed by |mean - c|, as an angle over a whole turn, to the right a half, down
/// three quarters.
public struct ColorFAST: Effect {
    public static let name = "color-fast"
    public static let summary = "compares each pixel with a ring around it"
    public static var parameters: [EffectParameter<ColorFAST>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...24, unit: "px", "of a mean before, which softens pixel and ring alike"),
            EffectParameter("show", \.show, "the difference from the ring, or the direction in which colours lean"),
        ]
    }

    /// The radius of a blur before the comparison, in pixels of the picture, which softens pixel and ring alike.
    ///
    /// GPUImage blurs, too, but its shader reads only the sharp picture: 0 gives its result.
    public var radius: Float = 0
    /// The aspect of the comparison that is drawn.
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

    /// The aspect of the comparison that ``ColorFAST`` draws.
    public enum Aspect: String, Sendable, CaseIterable {
        case difference, direction
    }
}
