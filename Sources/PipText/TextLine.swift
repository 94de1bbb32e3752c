/// The glyphs of a line, each with its position.
struct TextLine {
    struct PlacedGlyph {
        var glyph: Glyph
        /// The distance from the pen's start in the line, and the height above the baseline, in pixels.
        var x: Int
        var y: Int
    }

    private(set) var glyphs: [PlacedGlyph] = []
    /// The columns at which the line's glyphs and advances begin and end, relative to the pen's start.
    private(set) var left = 0
    private(set) var right = 0
    /// The number of rows above and below the baseline: the font's, or more where a glyph needs more.
    private(set) var ascent: Int
    private(set) var descent: Int
    let isRightToLeft: Bool

    /// Positions a line's glyphs.
    ///
    /// - Parameters:
    ///   - line: The shaped line.
    ///   - fonts: The fonts that the line was shaped with.
    ///   - longest: The last column that gets glyphs. Text beyond it is only measured.
    init(_ line: ShapedLine, fonts: FontSet, longest: Int) {
        isRightToLeft = line.isRightToLeft
        ascent = fonts.main.ascent
        descent = fonts.main.descent
        // The position of the pen, in 64ths of a pixel.
        var pen = 0
        for (run, glyphs) in line.runs {
            for shaped in glyphs {
                let column = (pen + shaped.xOffset + run.step / 2) & -run.step
                if column >> 6 <= longest {
                    let glyph = fonts.faces[run.font].glyph(shaped.index, shift: column & 63)
                    add(PlacedGlyph(glyph: glyph, x: column >> 6, y: (shaped.yOffset + 32) >> 6))
                }
                pen += shaped.advance
                right = max(right, (pen + 32) >> 6)
            }
        }
    }

    private mutating func add(_ placed: PlacedGlyph) {
        glyphs.append(placed)
        let body = placed.glyph.body
        guard body.width > 0 else { return }
        left = min(left, placed.x + body.left)
        right = max(right, placed.x + body.left + body.width)
        ascent = max(ascent, placed.y + body.top)
        descent = max(descent, body.height - body.top - placed.y)
    }
}
