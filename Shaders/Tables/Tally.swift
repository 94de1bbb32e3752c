internal import PipFrames

/// Counts of the values of red, green, blue and luma in 256 bins, for each of a mesh of cells.
struct Tally {
    /// Columns and rows of cells.
    var cells = PixelSize(8, 8)
    /// Whether all cells are equally large, the last ones filled up by what mirrors at the picture's edge; else the last ones may be smaller.
    var isPadded = false

    /// A table with a row for each cell and a texel for each bin.
    func step(in context: EffectContext) -> TableStep {
        TableStep(
            ShaderCall(
                ShaderSource("Tally.comp", PackageResources.Tally_comp),
                [
                    Uniform("cells", .integers2(Int32(cells.width), Int32(cells.height))),
                    .float("isPadded", isPadded ? 1 : 0), context.wholeLuma,
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

    /// How many rows its table has, for the next step.
    var rows: Uniform { .float("rows", Float(cells.area)) }
}

extension EffectContext {
    /// The shares of red, green and blue in luma, in parts of 65536: with these a code of luma is the same number on every machine.
    var wholeLuma: Uniform {
        let weights = Self.wholeLumaWeights(of: matrix)
        return .vector("luma", Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    private static func wholeLumaWeights(of matrix: ColorMatrixStandard) -> [Int] {
        let (red, blue) = matrix.lumaWeights
        let parts = [red, blue].map { Int(($0 * 65536).rounded()) }
        return [parts[0], 65536 - parts[0] - parts[1], parts[1]]
    }
}
