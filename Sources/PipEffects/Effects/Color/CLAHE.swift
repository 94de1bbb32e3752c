internal import PipFrames

/// Raises contrast tile by tile, up to a limit: Contrast Limited Adaptive Histogram Equalization of luma.
///
/// Source: OpenCV, `CLAHE`. Each tile's histogram is clipped at `clip` times its mean, and the excess is spread over
/// all values. Between the centres of tiles, their curves are interpolated. Tiles at the right and lower edges are
/// completed by mirroring.
public struct CLAHE: Effect {
    public static let name = "clahe"
    public static let summary = "raises contrast tile by tile, up to a limit"
    public static var parameters: [EffectParameter<CLAHE>] {
        [
            EffectParameter("clip", \.clip, in: 1...40, "the steepest slope of the curves; 1 hardly changes anything"),
            EffectParameter("columns", \.columns, in: 1...16, "the number of tiles across"),
            EffectParameter("rows", \.rows, in: 1...16, "the number of tiles down"),
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "1 is the equalized picture alone"),
            EffectParameter(
                "step", \.step, in: 1...16, unit: "px", "the distance between counted pixels, across and down"),
        ]
    }

    /// The clip limit of a tile's histogram, in multiples of the mean count of its bins.
    ///
    /// The limit bounds the slope of the curves.
    public var clip: Float = 2
    /// The number of tiles from left to right, 1…16.
    public var columns = 8
    /// The number of tiles from top to bottom, 1…16.
    public var rows = 8
    /// The strength, from 0 (unchanged) to 1 (the equalized picture alone).
    public var amount: Float = 1
    /// The horizontal and vertical distance between the pixels that are counted, in pixels of the picture.
    ///
    /// 1 counts all pixels.
    public var step = 2

    public init() {}
    public init(clip: Float, columns: Int = 8, rows: Int = 8, amount: Float = 1, step: Int = 2) {
        self.clip = clip
        self.columns = columns
        self.rows = rows
        self.amount = amount
        self.step = step
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if amount == 0 { return .none }
        let tiles = PixelSize(columns, rows)
        let tally = Tally(cells: tiles, isPadded: true, step: step, counts: (false, true))
        let curves = TableStep(
            ShaderCall(ShaderSource("ClaheCurves.comp", PackageResources.ClaheCurves_comp), [.float("clip", clip)]),
            size: PixelSize(256, tiles.area), groups: PixelSize(1, tiles.area))
        return .tabulated(
            Tabulation([tally.step(in: context), curves]),
            ShaderCall(
                ShaderSource("CLAHE.frag", PackageResources.CLAHE_frag),
                [context.wholeLuma, .vector("mesh", Float(columns), Float(rows), amount)]))
    }
}
