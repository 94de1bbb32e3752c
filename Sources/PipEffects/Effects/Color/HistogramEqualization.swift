internal import PipFrames

/// Equalizes the histogram, which raises contrast where most pixels lie.
///
/// Source: OpenCV, `equalizeHist`: (sum of counts up to a value - count of the lowest one) / (pixels - that count). For
/// luma, the change of luma is added to red, green and blue. If only one value occurs, nothing changes.
public struct HistogramEqualization: Effect {
    public static let name = "histogram-equalization"
    public static let summary = "spreads values until all are equally frequent"
    public static var parameters: [EffectParameter<HistogramEqualization>] {
        [
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "1 is the equalized picture alone"),
            EffectParameter("channels", \.channels, "the equalized channels: luma, or each of red, green and blue"),
            EffectParameter(
                "step", \.step, in: 1...16, unit: "px", "the distance between counted pixels, across and down"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1 (the equalized picture alone).
    public var amount: Float = 1
    /// The channels whose histograms are equalized.
    public var channels = HistogramChannels.luma
    /// The horizontal and vertical distance between the pixels that are counted, in pixels of the picture.
    ///
    /// 1 counts all pixels.
    public var step = 4

    public init() {}
    public init(_ amount: Float, channels: HistogramChannels = .luma, step: Int = 4) {
        self.amount = amount
        self.channels = channels
        self.step = step
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if amount == 0 { return .none }
        let tally = Tally.of(channels, step: step)
        let curve = TableStep(
            ShaderCall(ShaderSource("Equalizer.comp", PackageResources.Equalizer_comp), [tally.rows]),
            size: PixelSize(256, 1))
        return .tabulated(
            Tabulation([tally.step(in: context), curve]),
            ShaderCall(
                ShaderSource("HistogramEqualization.frag", PackageResources.HistogramEqualization_frag),
                [context.wholeLuma, .vector("how", amount, channels == .rgb ? 1 : 0)]))
    }
}

/// The channels of a histogram: luma, or red, green and blue, for ``HistogramDisplay`` and ``HistogramEqualization``.
public enum HistogramChannels: String, Sendable, CaseIterable {
    case luma, rgb
}
