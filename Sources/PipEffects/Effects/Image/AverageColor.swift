/// Shows the picture's mean colour everywhere.
///
/// Source: GPUImage, `GPUImageAverageColor`.
public struct AverageColor: Effect {
    public static let name = "average-color"
    public static let summary = "shows the picture's mean colour everywhere"
    public static var parameters: [EffectParameter<AverageColor>] {
        []
    }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .mean
    }
}
