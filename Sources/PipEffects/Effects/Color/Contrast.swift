/// Spreads colours away from middle grey, or pulls them towards it.
///
/// Source: GPUImage, `GPUImageContrastFilter`: (c - 0.5)·k + 0.5.
public struct Contrast: Effect {
    public static let name = "contrast"
    public static let summary = "spreads colours away from middle grey"
    public static var parameters: [EffectParameter<Contrast>] {
        [EffectParameter("contrast", \.contrast, in: 0...4, neutral: 1, "the factor on the distance from middle grey")]
    }

    /// The factor, from 0 (all grey) to 4; 1 changes nothing.
    public var contrast: Float = 1.5

    public init() {}
    public init(_ contrast: Float) { self.contrast = contrast }

    public func operation(in context: EffectContext) -> EffectOperation {
        if contrast == 1 { return .none }
        let factor = Double(contrast)
        return .affine(
            ColorTransform(
                rows: [[factor, 0, 0], [0, factor, 0], [0, 0, factor]],
                offset: Array(repeating: 0.5 * (1 - factor), count: 3)))
    }
}
