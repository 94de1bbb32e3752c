/// Blurs with the mean of a square.
///
/// Source: GPUImage, `GPUImageBoxBlurFilter`: weights of 1 / (2r + 1). Here the radius may be fractional, with a
/// smaller weight for the outermost pixels.
public struct BoxBlur: Effect {
    public static let name = "box-blur"
    public static let summary = "blurs with the mean of a square"
    public static var parameters: [EffectParameter<BoxBlur>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...40, unit: "px", neutral: 0,
                "the distance from a square's centre to its edge")
        ]
    }

    /// The distance from the square's centre to its edge, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        Kernel.box(radius: context.pixels(radius)).map { .separable($0) } ?? .none
    }
}
