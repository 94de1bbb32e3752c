/// Blurs with equal weights.
///
/// Source: GPUImage, `GPUImageBoxBlurFilter`: 1 / (2r + 1), here for any radius: pixels at its end count in part.
public struct BoxBlur: Effect {
    public static let name = "box-blur"
    public static let summary = "blurs with the mean of a square"
    public static var parameters: [EffectParameter<BoxBlur>] {
        [EffectParameter("radius", \.radius, in: 0...40, unit: "px", neutral: 0, "how far the square reaches")]
    }

    /// The reach of the square from its centre, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        Kernel.box(radius: context.pixels(radius)).map { .separable($0) } ?? .none
    }
}
