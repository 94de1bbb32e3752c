/// Smooths areas of nearly one colour and keeps edges.
///
/// Source: GPUImage, `GPUImageBilateralFilter`: nine samples horizontally and nine vertically. A sample's weight is
/// 0.18, 0.15, 0.12, 0.09 or 0.05 by its distance, times 1 - min(k · colour distance, 1).
public struct Bilateral: Effect {
    public static let name = "bilateral"
    public static let summary = "smooths areas and keeps edges"
    public static var parameters: [EffectParameter<Bilateral>] {
        [
            EffectParameter("spacing", \.spacing, in: 0...10, unit: "px", neutral: 0, "the distance between samples"),
            EffectParameter("distance", \.distance, in: 0...20, "the factor on the difference in colour"),
        ]
    }

    /// The distance between samples, in pixels of the picture; 0 changes nothing.
    public var spacing: Float = 4
    /// The factor on the colour distance; 0 blurs edges, too.
    public var distance: Float = 8

    public init() {}
    public init(spacing: Float, distance: Float = 8) {
        self.spacing = spacing
        self.distance = distance
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let step = Float(context.pixels(spacing))
        guard step > 0.05 else { return .none }
        return .sequence([
            .sampler(Self.call(distance: distance, step: (step, 0))),
            .sampler(Self.call(distance: distance, step: (0, step))),
        ])
    }

    private static func call(distance: Float, step: (x: Float, y: Float)) -> ShaderCall {
        ShaderCall(
            ShaderSource("Bilateral.frag", PackageResources.Bilateral_frag),
            [.float("factor", distance), .vector("stride", step.x, step.y)])
    }
}
