/// Makes bright parts grow: the largest value of a square around, for each of red, green and blue.
///
/// Source: GPUImage, `GPUImageRGBDilationFilter`.
public struct Dilation: Effect {
    public static let name = "dilation"
    public static let summary = "lets what is light grow"
    public static var parameters: [EffectParameter<Dilation>] {
        [
            EffectParameter("radius", \.radius, in: 0...16, unit: "px", neutral: 0, "how far the square reaches")
        ]
    }

    /// The reach of the square from its centre, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 2

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        Morphology.extreme(isLargest: true, radius: radius, in: context) ?? .none
    }
}
