/// Draws few colours with black outlines, like a comic.
///
/// Source: GPUImage, `GPUImageToonFilter`: floor(c n + 0.5) / n, and black where the Sobel gradient reaches the
/// threshold; here the gradient of luma instead of red.
public struct Toon: Effect {
    public static let name = "toon"
    public static let summary = "draws few colours with black outlines"
    public static var parameters: [EffectParameter<Toon>] {
        [
            EffectParameter("threshold", \.threshold, in: 0...4, "the smallest gradient of luma of an outline"),
            EffectParameter("levels", \.levels, in: 1...255, "the number of steps of each component"),
        ]
    }

    /// The smallest length of the Sobel gradient of luma at which an edge is black.
    public var threshold: Float = 0.2
    /// The number of steps of each of red, green and blue, 1…255.
    public var levels: Int = 10

    public init() {}
    public init(threshold: Float, levels: Int = 10) {
        self.threshold = threshold
        self.levels = levels
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(Self.call(threshold: threshold, levels: levels, context))
    }

    static func call(threshold: Float, levels: Int, _ context: EffectContext) -> ShaderCall {
        ShaderCall(
            ShaderSource("Toon.frag", PackageResources.Toon_frag),
            [context.luma, .vector("toon", threshold, Float(levels))])
    }
}
