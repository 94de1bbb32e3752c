/// The glyphs of a line, chosen and positioned by script, direction and font.
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
    ///   - isRightToLeft: True if a line without letters runs from right to left.
    init(_ line: [Unicode.Scalar], fonts: FontSet, isRightToLeft: Bool) {
        let text = line.map(\.value)
        let bidi = BidiLevels(text, isRightToLeft: isRightToLeft)
        self.isRightToLeft = bidi.isRightToLeft
        let runs = TextRun.runs(of: line, levels: bidi.levels, fonts: fonts)
        self.runs = BidiLevels.visualOrder(runs.map(\.level)).map { index in
            (runs[index], fonts.faces[runs[index].font].shape(text, runs[index]))
        }
        for index in self.runs.indices {
            // HarfBuzz replaces ignorable characters by spaces of width 0.
            self.runs[index].glyphs.removeAll { glyph in
                line[glyph.character].isIgnorable && (glyph.index == 0 || glyph.advance == 0)
            }
            missing += self.runs[index].glyphs.filter { $0.index == 0 }.map { line[$0.character] }
        }
    }
}
