/// Blurs noise away, and then draws few colours with black outlines.
///
/// Source: GPUImage, `GPUImageSmoothToonFilter`: a Gaussian blur, then ``Toon``.
public struct SmoothToon: Effect {
    public static let name = "smooth-toon"
    public static let summary = "draws few colours with black outlines, after a blur"
    public static var parameters: [EffectParameter<SmoothToon>] {
        [
            EffectParameter("threshold", \.threshold, in: 0...4, "the smallest gradient of luma of an outline"),
            EffectParameter("levels", \.levels, in: 1...255, "the number of steps of each component"),
            EffectParameter("radius", \.radius, in: 0...24, unit: "px", "the blur's standard deviation"),
        ]
    }

    /// The smallest length of the Sobel gradient of luma at which an edge is black.
    public var threshold: Float = 0.2
    /// The number of steps of each of red, green and blue, 1…255.
    public var levels: Int = 10
    /// The blur's standard deviation, in pixels of the picture.
    public var radius: Float = 2

    public init() {}
    public init(threshold: Float, levels: Int = 10, radius: Float = 2) {
        self.threshold = threshold
        self.levels = levels
        self.radius = radius
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let toon = EffectOperation.neighbourhood(Toon.call(threshold: threshold, levels: levels, context))
        guard let blur = context.gaussian(radius) else { return toon }
        return .sequence([blur, toon])
    }
}
