/// Removes small bright specks: an erosion, then a dilation.
///
/// Source: GPUImage, `GPUImageRGBOpeningFilter`.
public struct Opening: Effect {
    public static let name = "opening"
    public static let summary = "takes away small light specks"
    public static var parameters: [EffectParameter<Opening>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...16, unit: "px", neutral: 0,
                "the distance from a square's centre to its edge")
        ]
    }

    /// The distance from the square's centre to its edge, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        Morphology.sequence([false, true], radius: radius, in: context)
    }
}
