/// Tints a frame brown, like an old photograph.
///
/// Source: GPUImage, `GPUImageSepiaFilter`: luma of BT.601 times 1.2, 1.0 and 0.8.
public struct Sepia: Effect {
    public static let name = "sepia"
    public static let summary = "tints the picture brown, like an old photograph"
    public static var parameters: [EffectParameter<Sepia>] {
        [EffectParameter("intensity", \.intensity, in: 0...1, neutral: 0, "1 is brown")]
    }

    /// The strength, from 0 (unchanged) to 1 (sepia alone).
    public var intensity: Float = 1

    public init() {}
    public init(_ intensity: Float) { self.intensity = intensity }

    public func operation(in context: EffectContext) -> EffectOperation {
        if intensity == 0 { return .none }
        let luma = [0.299, 0.587, 0.114]
        let brown = ColorTransform(rows: [1.2, 1.0, 0.8].map { tint in luma.map { $0 * tint } })
        return .affine(brown.mixed(Double(intensity)))
    }
}
