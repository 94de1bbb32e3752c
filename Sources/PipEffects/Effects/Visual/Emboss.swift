/// Shows the picture as a relief.
///
/// Source: GPUImage, `GPUImageEmbossFilter`: the kernel (-2i, -i, 0; -i, 1, i; 0, i, 2i).
public struct Emboss: Effect {
    public static let name = "emboss"
    public static let summary = "shows the picture as a relief"
    public static var parameters: [EffectParameter<Emboss>] {
        [
            EffectParameter("intensity", \.intensity, in: 0...4, neutral: 0, "the depth of the relief")
        ]
    }

    /// The strength, from 0 (unchanged) to 4.
    public var intensity: Float = 1

    public init() {}
    public init(intensity: Float) { self.intensity = intensity }

    public func operation(in context: EffectContext) -> EffectOperation {
        if intensity == 0 { return .none }
        let i = intensity
        return .neighbourhood(Convolution.call([-2 * i, -i, 0, -i, 1, i, 0, i, 2 * i]))
    }
}
