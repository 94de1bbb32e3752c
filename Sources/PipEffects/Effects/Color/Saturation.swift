internal import PipFrames

/// Changes the saturation by mixing a frame with its luma.
///
/// Luma is weighted by the frame's own matrix, so that the effect leaves the luma plane of Y'CbCr unchanged.
///
/// Source: GPUImage, `GPUImageSaturationFilter`: mix(Y, c, s).
public struct Saturation: Effect {
    public static let name = "saturation"
    public static let summary = "makes colours stronger, or grey"
    public static var parameters: [EffectParameter<Saturation>] {
        [
            EffectParameter(
                "saturation", \.saturation, in: 0...2, neutral: 1, "0 is grey, 2 is twice as colourful")
        ]
    }

    /// The factor on saturation, from 0 (grey) to 2; 1 changes nothing.
    public var saturation: Float = 1.5

    public init() {}
    public init(_ saturation: Float) { self.saturation = saturation }

    public func operation(in context: EffectContext) -> EffectOperation {
        if saturation == 1 { return .none }
        let (red, blue) = context.matrix.lumaWeights
        let luma = [red, 1 - red - blue, blue]
        let factor = Double(saturation)
        let rows = (0..<3).map { row in
            (0..<3).map { luma[$0] * (1 - factor) + (row == $0 ? factor : 0) }
        }
        return .affine(ColorTransform(rows: rows))
    }
}
