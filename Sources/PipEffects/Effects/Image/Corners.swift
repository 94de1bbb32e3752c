/// Marks corners, where luma changes in every direction, in white on black.
///
/// Source: GPUImage, `GPUImageHarrisCornerDetectionFilter`, `GPUImageNobleCornerDetectionFilter`,
/// `GPUImageShiTomasiFeatureDetectionFilter`. The measures are computed from the blurred products of the gradient:
/// det - 0.04 tr², det / tr, or the smaller eigenvalue. A corner is the largest measure of 3×3 pixels, and reaches the
/// threshold. Here the square root of the first measure and twice the second measure are taken, so that all three are
/// nearly equal at a corner with equal sides.
public struct Corners: Effect {
    public static let name = "corners"
    public static let summary = "marks corners in white on black"
    public static var parameters: [EffectParameter<Corners>] {
        [
            EffectParameter("measure", \.measure, "the measure that distinguishes corners from edges"),
            EffectParameter(
                "radius", \.radius, in: 0.5...12, unit: "px", "the distance within which corners merge into one"),
            EffectParameter(
                "mark", \.mark, in: 0...8, unit: "px", "the distance from a corner to the edge of its mark"),
            EffectParameter("sensitivity", \.sensitivity, in: 0.1...100, "the factor on the measure"),
            EffectParameter("threshold", \.threshold, in: 0.01...1, "the smallest measure of a corner"),
        ]
    }

    /// The measure that distinguishes corners from edges.
    public var measure = Measure.harris
    /// The standard deviation of the blur of the gradient's products, in pixels of the picture.
    ///
    /// Corners closer than about this distance merge into one corner.
    public var radius: Float = 2
    /// The factor on the measure before its comparison with ``threshold``, 0.1…100.
    public var sensitivity: Float = 10
    /// The smallest measure of a corner, after multiplication by `sensitivity`.
    public var threshold: Float = 0.2

    /// The distance from a corner to the edge of its square mark, in pixels of the picture.
    public var mark: Float = 2

    public init() {}
    public init(threshold: Float = 0.2, mark: Float) {
        self.threshold = threshold
        self.mark = mark
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let kind = Float(Measure.allCases.firstIndex(of: measure) ?? 0)
        let rate = ShaderCall(
            ShaderSource("CornerMeasure.frag", PackageResources.CornerMeasure_frag),
            [.vector("measure", kind, sensitivity)], isWide: true)
        let pick = ShaderCall(
            ShaderSource("LocalMaximum.frag", PackageResources.LocalMaximum_frag), [.float("threshold", threshold)])
        return .sequence([
            .neighbourhood(XYDerivative.call(0.5, context)), context.gaussian(radius) ?? .none, .pixel(rate),
            .neighbourhood(pick),
            Morphology.extreme(isLargest: true, radius: mark, in: context) ?? .none,
        ])
    }

    /// The measure by which ``Corners`` distinguishes corners from edges.
    public enum Measure: String, Sendable, CaseIterable {
        case harris, noble
        case shiTomasi = "shi-tomasi"
    }
}
