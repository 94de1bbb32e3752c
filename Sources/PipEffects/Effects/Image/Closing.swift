/// Removes small dark specks: a dilation, then an erosion.
///
/// Source: GPUImage, `GPUImageRGBClosingFilter`.
public struct Closing: Effect {
    public static let name = "closing"
    public static let summary = "takes away small dark specks"
    public static var parameters: [EffectParameter<Closing>] {
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
        Morphology.sequence([true, false], radius: radius, in: context)
    }
}
