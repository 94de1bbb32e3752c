/// What is measured of a picture as a whole.
public enum Measurement: String, Sendable, Hashable, CaseIterable {
    /// The mean of all pixels: one texel, red, green, blue and alpha, premultiplied.
    case average
    /// How many pixels have each of 256 values: a texel for each value, counts by red, green, blue and luma.
    case histogram

    /// What makes a table of the picture.
    package func operation(in context: EffectContext) -> EffectOperation {
        switch self {
        case .average: .mean
        case .histogram: .table(Tally.histogram(in: context))
        }
    }
}
