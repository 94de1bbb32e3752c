public import PipFrames

/// Draws clouds of two colours instead of the picture.
///
/// Source: GPUImage, `GPUImagePerlinNoiseFilter`: 2.3 times Perlin's gradient noise with the fade 6t⁵ - 15t⁴ + 10t³,
/// after S. Gustavson's classic noise in GLSL. The gradients are scaled by a linear approximation of the inverse square
/// root.
public struct PerlinNoise: Effect {
    public static let name = "perlin-noise"
    public static let summary = "draws clouds of two colours"
    public static var parameters: [EffectParameter<PerlinNoise>] {
        [
            EffectParameter("start", \.start, "the colour of the lowest noise values"),
            EffectParameter("finish", \.finish, "the colour of the highest noise values"),
            EffectParameter("scale", \.scale, in: 0.5...100, "the number of grid cells along the shorter side"),
        ]
    }

    /// The colour of the lowest noise values.
    public var start: Color = Color(red: 0, green: 0, blue: 0)
    /// The colour of the highest noise values.
    public var finish: Color = Color(red: 1, green: 1, blue: 1)
    /// The number of grid cells along the shorter side.
    public var scale: Float = 8

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("PerlinNoise.frag", PackageResources.PerlinNoise_frag),
                [
                    context.sidesUniform, .float("scale", scale),
                    .vector("start", Float(start.red), Float(start.green), Float(start.blue)),
                    .vector("finish", Float(finish.red), Float(finish.green), Float(finish.blue)),
                ]))
    }
}
