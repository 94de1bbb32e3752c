internal import PipFrames

/// Draws a histogram in bars from the lower edge, dark values on the left.
///
/// The highest bar has the height ``height``.
///
/// Source: GPUImage, `GPUImageHistogramGenerator`: a pixel belongs to a bar when its height is below the count of its
/// column's value.
public struct HistogramDisplay: Effect {
    public static let name = "histogram-display"
    public static let summary = "draws a histogram of the picture"
    public static var parameters: [EffectParameter<HistogramDisplay>] {
        [
            EffectParameter("height", \.height, in: 0.01...1, "the height of the highest bar, in picture heights"),
            EffectParameter(
                "background", \.background, in: 0...1, "the brightness of the picture behind the bars; 0 is black"),
            EffectParameter("channels", \.channels, "the counted channels: red, green and blue, or luma"),
            EffectParameter(
                "step", \.step, in: 1...16, unit: "px", "the distance between counted pixels, across and down"),
        ]
    }
    public static var example: String? { "0.6:background=0.3" }

    /// The height of the highest bar, as a share of the picture's height.
    public var height: Float = 1
    /// The factor on the picture's colours behind the bars, 0…1: 0 draws the bars on black.
    ///
    /// Above ``height``, the picture stays unchanged.
    public var background: Float = 0
    /// The channels whose histograms are drawn.
    public var channels = HistogramChannels.rgb
    /// The horizontal and vertical distance between the pixels that are counted, in pixels of the picture.
    ///
    /// 1 counts all pixels.
    public var step = 4

    public init() {}
    public init(height: Float, background: Float = 0, channels: HistogramChannels = .rgb, step: Int = 4) {
        self.height = height
        self.background = background
        self.step = step
        self.channels = channels
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let tally = Tally.of(channels, step: step)
        let shown: Uniform = channels == .rgb ? .vector("shown", 1, 1, 1, 0) : .vector("shown", 0, 0, 0, 1)
        let bars = TableStep(
            ShaderCall(ShaderSource("HistogramBars.comp", PackageResources.HistogramBars_comp), [tally.rows, shown]),
            size: PixelSize(256, 1))
        return .tabulated(
            Tabulation([tally.step(in: context), bars]),
            ShaderCall(
                ShaderSource("HistogramDisplay.frag", PackageResources.HistogramDisplay_frag),
                [.vector("look", height, background, channels == .luma ? 1 : 0)]))
    }
}
