/// Makes bright parts grow: each of red, green and blue becomes the largest value in a square around the pixel.
///
/// Source: GPUImage, `GPUImageRGBDilationFilter`.
public struct Dilation: Effect {
    public static let name = "dilation"
    public static let summary = "makes light parts grow"
    public static var parameters: [EffectParameter<Dilation>] {
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
        Morphology.extreme(isLargest: true, radius: radius, in: context) ?? .none
    }
}
