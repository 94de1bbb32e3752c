/// A line's glyphs, chosen and positioned by scripts, directions and fonts.
struct ShapedLine {
    /// The runs from left to right, with their glyphs from left to right.
    private(set) var runs: [(run: TextRun, glyphs: [ShapedGlyph])]
    let isRightToLeft: Bool
    /// The characters that no font has.
    private(set) var missing: [Unicode.Scalar] = []

    /// Shapes a line.
    ///
    /// - Parameters:
    ///   - line: The line's characters.
    ///   - fonts: The style's font and its substitutes.
    ///   - isRightToLeft: The direction of a line without letters.
    init(_ line: [Unicode.Scalar], fonts: FontSet, isRightToLeft: Bool) {
        let text = line.map(\.value)
        let bidi = BidiLevels(text, isRightToLeft: isRightToLeft)
        self.isRightToLeft = bidi.isRightToLeft
        let runs = TextRun.runs(of: line, levels: bidi.levels, fonts: fonts)
        self.runs = BidiLevels.visualOrder(runs.map(\.level)).map { index in
            (runs[index], fonts.faces[runs[index].font].shape(text, runs[index]))
        }
        for index in self.runs.indices {
            // HarfBuzz leaves spaces without a width in the place of such characters.
            self.runs[index].glyphs.removeAll { glyph in
                line[glyph.character].isIgnorable && (glyph.index == 0 || glyph.advance == 0)
            }
            missing += self.runs[index].glyphs.filter { $0.index == 0 }.map { line[$0.character] }
        }
    }
}
