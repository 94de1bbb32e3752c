public import PipFrames

/// Makes pixels of one colour transparent, so that the layers below show through.
///
/// Source: GPUImage, `GPUImageChromaKeyFilter`: by distance in the plane of Cb and Cr.
public struct ChromaKey: Effect {
    public static let name = "chroma-key"
    public static let summary = "makes one colour transparent"
    public static var parameters: [EffectParameter<ChromaKey>] {
        [
            EffectParameter("color", \.color, "the colour that becomes transparent"),
            EffectParameter(
                "sensitivity", \.sensitivity, in: 0...1, "the chroma distance up to which a colour is the key colour"),
            EffectParameter(
                "smoothing", \.smoothing, in: 0...1, "the further distance over which pixels become opaque again"),
        ]
    }

    /// The colour that becomes transparent.
    public var color = Color.green
    /// The chroma distance up to which a colour counts as the key colour, 0…1.
    public var sensitivity: Float = 0.4
    /// The further chroma distance over which pixels become opaque again, 0…1.
    public var smoothing: Float = 0.1

    public init() {}
    public init(_ color: Color, sensitivity: Float = 0.4, smoothing: Float = 0.1) {
        self.color = color
        self.sensitivity = sensitivity
        self.smoothing = smoothing
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource("ChromaKey.frag", PackageResources.ChromaKey_frag),
                [
                    .color("key", color),
                    .vector("range", sensitivity, sensitivity + max(smoothing, 1 / 1024)),
                ], changesAlpha: true, isSteep: true))
    }
}
