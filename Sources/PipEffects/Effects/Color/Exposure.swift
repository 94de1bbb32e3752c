internal import Glibc

/// Makes a frame lighter or darker by stops, like a camera's exposure.
///
/// Source: GPUImage, `GPUImageExposureFilter`: c · 2^e.
public struct Exposure: Effect {
    public static let name = "exposure"
    public static let summary = "makes the picture lighter or darker, in stops"
    public static var parameters: [EffectParameter<Exposure>] {
        [
            EffectParameter(
                "exposure", \.exposure, in: -10...10, unit: "stops", neutral: 0, "1 doubles, -1 halves")
        ]
    }

    /// The change of exposure, in stops; 0 changes nothing.
    public var exposure: Float = 1

    public init() {}
    public init(_ exposure: Float) { self.exposure = exposure }

    public func operation(in context: EffectContext) -> EffectOperation {
        if exposure == 0 { return .none }
        let gain = exp2(Double(exposure))
        return .affine(.scale(gain, gain, gain))
    }
}
