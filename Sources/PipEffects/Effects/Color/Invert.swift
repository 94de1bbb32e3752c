/// Inverts all colours, as in a photographic negative.
///
/// Source: GPUImage, `GPUImageColorInvertFilter`: 1 - c.
public struct Invert: Effect {
    public static let name = "invert"
    public static let summary = "makes a negative"
    public static var parameters: [EffectParameter<Invert>] { [] }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .affine(ColorTransform(rows: [[-1, 0, 0], [0, -1, 0], [0, 0, -1]], offset: [1, 1, 1]))
    }
}
