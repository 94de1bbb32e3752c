/// Makes a picture look painted: each pixel becomes the mean of one of four squares around it, the one that varies
/// least.
///
/// Source: GPUImage, `GPUImageKuwaharaFilter`, after Kuwahara et al., 1976; here with the picture's own pixels.
public struct Kuwahara: Effect {
    public static let name = "kuwahara"
    public static let summary = "paints: flat patches with sharp edges"
    public static var parameters: [EffectParameter<Kuwahara>] {
        [
            EffectParameter("radius", \.radius, in: 0...10, unit: "px", neutral: 0, "of a square")
        ]
    }

    /// The reach of each of the four squares around a pixel, in pixels of the picture; 0 changes nothing.
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
