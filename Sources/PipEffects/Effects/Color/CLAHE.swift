internal import PipFrames

/// Raises contrast tile by tile, up to a limit: Contrast Limited Adaptive Histogram Equalization of luma.
///
/// Source: OpenCV, `CLAHE`: counts of each tile, clipped at `clip` times their mean, what was clipped spread over all
/// values; between the middles of tiles their curves are interpolated. Tiles at the right and the lower edge are filled
/// up by what mirrors there.
public struct CLAHE: Effect {
    public static let name = "clahe"
    public static let summary = "raises contrast tile by tile, up to a limit"
    public static var parameters: [EffectParameter<CLAHE>] {
        [
            EffectParameter("clip", \.clip, in: 1...40, "how steep curves may be: 1 hardly changes anything"),
            EffectParameter("columns", \.columns, in: 1...16, "tiles across"),
            EffectParameter("rows", \.rows, in: 1...16, "tiles down"),
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "1 is the equalized picture alone"),
            EffectParameter("step", \.step, in: 1...16, unit: "px", "one of so many pixels counts, across and down"),
        ]
    }

    /// The highest count of a value, in means of all counts of a tile.
    ///
    /// It limits the slope of curves.
    public var clip: Float = 2
    /// Tiles across.
    public var columns = 8
    /// Tiles down.
    public var rows = 8
    /// The strength, from 0 (unchanged) to 1.
    public var amount: Float = 1
    /// The distance of counted pixels, across and down; 1 counts all.
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
