public import PipFrames

/// Removes haze, or adds haze.
///
/// Source: GPUImage, `GPUImageHazeFilter`: (c - d·colour) / (1 - d), where d changes linearly from top to bottom.
public struct Haze: Effect {
    public static let name = "haze"
    public static let summary = "takes haze away, or adds some"
    public static var parameters: [EffectParameter<Haze>] {
        [
            EffectParameter(
                "distance", \.distance, in: -0.3...0.3, neutral: 0, "the haze at the top: above 0 removes haze"),
            EffectParameter(
                "slope", \.slope, in: -0.3...0.3, neutral: 0, "the increase of the distance from top to bottom"),
            EffectParameter("color", \.color, "the haze's colour"),
        ]
    }

    /// The amount of haze at the top: values above 0 remove haze, values below 0 add some; 0 changes nothing there.
    public var distance: Float = 0.2
    /// The difference between the amount of haze at the bottom and at the top.
    public var slope: Float = 0
    /// The haze's colour, whose alpha is ignored.
    public var color = Color.white

    public init() {}
    public init(distance: Float, slope: Float = 0, color: Color = .white) {
        self.distance = distance
        self.slope = slope
        self.color = color
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if distance == 0 && slope == 0 { return .none }
        if slope == 0 {
            let gain = 1 / (1 - Double(distance))
            var transform = ColorTransform.scale(gain, gain, gain)
            transform.offset = [color.red, color.green, color.blue].map { -Double(distance) * gain * $0 }
            return .affine(transform)
        }
        return .pixel(
            ShaderCall(
                ShaderSource("Haze.frag", PackageResources.Haze_frag),
                [.vector("distance", distance, slope), .color("haze", color)]))
    }
}
