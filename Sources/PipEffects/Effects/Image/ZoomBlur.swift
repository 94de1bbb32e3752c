/// Blurs towards a point, as if the camera zoomed.
///
/// Source: GPUImage, `GPUImageZoomBlurFilter`: the samples of ``MotionBlur``, at distances of 0.01 · size · (centre -
/// position).
public struct ZoomBlur: Effect {
    public static let name = "zoom-blur"
    public static let summary = "blurs towards a point"
    public static var parameters: [EffectParameter<ZoomBlur>] {
        [
            EffectParameter(
                "size", \.size, in: 0...10, neutral: 0,
                "the distance between samples, in hundredths of the distance to the centre"),
            EffectParameter("x", \.centerX, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.centerY, in: 0...1, "the centre, in picture heights from the top"),
        ]
    }

    /// The distance between samples, in hundredths of the distance to the centre; 0 changes nothing.
    public var size: Float = 1
    /// The centre, in picture widths from the left.
    public var centerX: Float = 0.5
    /// The centre, in picture heights from the top.
    public var centerY: Float = 0.5

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        if size == 0 { return .none }
        return .sampler(
            ShaderCall(
                ShaderSource("ZoomBlur.frag", PackageResources.ZoomBlur_frag),
                [.float("size", 0.01 * size), .vector("center", centerX, centerY)]))
    }
}
