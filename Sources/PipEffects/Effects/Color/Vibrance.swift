/// Raises or lowers saturation, with less effect on pale colours than on strong colours.
///
/// Source: GPUImage, `GPUImageVibranceFilter`: with m the largest component, mix(c, m, (m - mean(c)) · -3v).
public struct Vibrance: Effect {
    public static let name = "vibrance"
    public static let summary = "raises saturation, most of all in strong colours"
    public static var parameters: [EffectParameter<Vibrance>] {
        [EffectParameter("vibrance", \.vibrance, in: -1.2...1.2, neutral: 0, "above 0 stronger, below 0 paler")]
    }

    /// The strength: above 0 raises saturation, below 0 lowers it; 0 changes nothing.
    public var vibrance: Float = 1

    public init() {}
    public init(_ vibrance: Float) { self.vibrance = vibrance }

    public func operation(in context: EffectContext) -> EffectOperation {
        if vibrance == 0 { return .none }
        return .pixel(
            ShaderCall(ShaderSource("Vibrance.frag", PackageResources.Vibrance_frag), [.float("vibrance", vibrance)]))
    }
}
