/// Stretches the picture around a point.
///
/// Source: GPUImage, `GPUImageStretchDistortionFilter`: with n = 2p - 1, n · (0.5 + 0.5 smoothstep(0.25, 0.5, |n|)).
public struct Stretch: Effect {
    public static let name = "stretch"
    public static let summary = "pulls the picture wide around a point"
    public static var parameters: [EffectParameter<Stretch>] {
        [
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .warp(
            ShaderCall(
                ShaderSource("Stretch.frag", PackageResources.Stretch_frag),
                [.vector("center", centerX, centerY)]))
    }
}
