/// Makes a picture look painted: each pixel becomes the mean of the most uniform of four squares around it.
///
/// Source: GPUImage, `GPUImageKuwaharaFilter`, after Kuwahara et al., 1976.
public struct Kuwahara: Effect {
    public static let name = "kuwahara"
    public static let summary = "makes a picture look painted, in flat patches with sharp edges"
    public static var parameters: [EffectParameter<Kuwahara>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...10, unit: "px", neutral: 0,
                "the distance that a square extends from the pixel")
        ]
    }

    /// The distance that each of the four squares extends from the pixel, in pixels of the picture; 0 changes nothing.
    public var radius: Float = 3

    public init() {}
    public init(radius: Float) { self.radius = radius }

    public func operation(in context: EffectContext) -> EffectOperation {
        context.window(radius, longest: 10) { reach in
            .sampler(
                ShaderCall(
                    ShaderSource("Kuwahara.frag", PackageResources.Kuwahara_frag), [.float("reach", reach)]))
        }
    }
}
