internal import PipFrames

/// Counts of the values of red, green, blue and luma in 256 bins, for each of a mesh of cells.
struct Tally {
    /// Columns and rows of cells.
    var cells = PixelSize(8, 8)
    /// True when all cells are equally large: the last ones are filled up with pixels mirrored at the picture's edge.
    ///
    /// False allows smaller cells at the end.
    var isPadded = false
    /// The distance of counted pixels, across and down.
    var step = 1
    /// True, for each, when it is counted: red, green and blue, and luma.
    var counts: (colors: Bool, luma: Bool) = (true, true)

    /// A table with a row for each cell and a texel for each bin.
    func step(in context: EffectContext) -> TableStep {
        TableStep(
            ShaderCall(
                ShaderSource("Tally.comp", PackageResources.Tally_comp),
                [
                    Uniform("cells", .integers2(Int32(cells.width), Int32(cells.height))),
                    .float("isPadded", isPadded ? 1 : 0), context.wholeLuma,
                    .vector(
                        "how", Float(max((Double(step) * context.scale).rounded(), 1)), counts.colors ? 1 : 0,
                        counts.luma ? 1 : 0),
                ]),
            size: PixelSize(256, cells.area), groups: cells, readsPicture: true)
    }

    /// The counts of the whole picture.
    static func histogram(in context: EffectContext) -> Tabulation {
        let tally = Tally()
        let sum = TableStep(
            ShaderCall(ShaderSource("TallySum.comp", PackageResources.TallySum_comp), [tally.rows]),
            size: PixelSize(256, 1))
        return Tabulation([tally.step(in: context), sum])
    }

    /// The tally of one kind of values, for an effect.
    static func of(_ channels: HistogramChannels, step: Int) -> Tally {
        Tally(step: step, counts: (channels == .rgb, channels == .luma))
    }

    /// The number of rows of the table, for the next step.
    var rows: Uniform { .float("rows", Float(cells.area)) }
}
