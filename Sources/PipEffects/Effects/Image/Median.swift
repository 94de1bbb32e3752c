/// Removes specks and keeps edges: each of red, green and blue becomes the median of 3×3 pixels.
///
/// Source: GPUImage, `GPUImageMedianFilter`; the sorting network is that of J. L. Smith, "Implementing Median Filters
/// in XC4000E FPGAs".
public struct Median: Effect {
    public static let name = "median"
    public static let summary = "takes away specks and keeps edges"
    public static var parameters: [EffectParameter<Median>] {
        []
    }

    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource("Median.frag", PackageResources.Median_frag)))
    }
}
