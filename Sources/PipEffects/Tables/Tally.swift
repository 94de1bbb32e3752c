internal import PipFrames

/// Counts the values of red, green, blue and luma in 256 bins, separately for each cell of a grid over the picture.
struct Tally {
    /// The numbers of columns and rows of the grid.
    var cells = PixelSize(8, 8)
    /// True to complete the cells at the right and lower edges with mirrored pixels, so that all cells have equal
    /// sizes.
    var isPadded = false
    /// The horizontal and vertical distance between the pixels that are counted, in pixels of the picture; 1 counts
    /// every pixel.
    var step = 1
    /// The values to count: red, green and blue if `colors` is true, luma if `luma` is true.
    var counts: (colors: Bool, luma: Bool) = (true, true)

    /// Makes the step that counts: its table has a row for each cell, and a texel for each bin.
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

    /// Makes the tabulation of the complete picture's histogram.
    static func histogram(in context: EffectContext) -> Tabulation {
        let tally = Tally()
        let sum = TableStep(
            ShaderCall(ShaderSource("TallySum.comp", PackageResources.TallySum_comp), [tally.rows]),
            size: PixelSize(256, 1))
        return Tabulation([tally.step(in: context), sum])
    }

    /// Creates a tally of either luma, or red, green and blue.
    static func of(_ channels: HistogramChannels, step: Int) -> Tally {
        Tally(step: step, counts: (channels == .rgb, channels == .luma))
    }

    /// The uniform `rows` for the next step: the number of rows of the table.
    var rows: Uniform { .float("rows", Float(cells.area)) }
}
