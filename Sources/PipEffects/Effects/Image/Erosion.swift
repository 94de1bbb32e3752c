/// Makes dark parts grow: the smallest value of a square around, for each of red, green and blue.
///
/// Source: GPUImage, `GPUImageRGBErosionFilter`.
public struct Erosion: Effect {
    public static let name = "erosion"
    public static let summary = "lets what is dark grow"
    public static var parameters: [EffectParameter<Erosion>] {
        [
            EffectParameter("radius", \.radius, in: 0...16, unit: "px", neutral: 0, "how far the square reaches")
        ]
    }

    /// The reach of the square from its centre, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        Morphology.extreme(isLargest: false, radius: radius, in: context) ?? .none
    }
}
