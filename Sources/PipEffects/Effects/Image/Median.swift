/// Removes specks and keeps edges: the middle one of 3×3 values, for each of red, green and blue.
///
/// Source: GPUImage, `GPUImageMedianFilter`; the network of exchanges is that of J. L. Smith, "Implementing Median
/// Filters in XC4000E FPGAs".
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
