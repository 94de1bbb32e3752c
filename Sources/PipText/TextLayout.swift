internal import PipFrames

/// A text's lines with the places of their characters.
struct TextLayout {
    struct Line {
        /// Characters and their pens' columns, from the line's start.
        var glyphs: [(glyph: Glyph, x: Int)] = []
        /// The columns that its characters and its width take.
        var left = 0
        var right = 0
    }

    var lines: [Line] = []
    /// The first character that the font lacks.
    var missing: Unicode.Scalar?
    private let face: FontFace
    private let margin: Int

    init(_ text: String, face: FontFace, margin: Int) {
        self.face = face
        self.margin = margin
        var line = LineBuilder(face)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\u{2028}", "\u{2029}":
                lines.append(line.finished)
                line = LineBuilder(face)
            case "\t": for _ in 0..<4 { line.append(face.glyph(" ")) }
            case _ where scalar.isUndrawn: continue
            default:
                let glyph = face.glyph(scalar)
                if glyph.index == 0 && missing == nil { missing = scalar }
                line.append(glyph)
            }
        }
        lines.append(line.finished)
    }

    /// The least picture that holds it: of one pixel for a text of nothing.
    var size: PixelSize {
        let width = lines.reduce(0) { max($0, $1.right - $1.left) }
        guard width > 0 else { return PixelSize(1, 1) }
        let height = face.ascent + face.descent + (lines.count - 1) * face.lineHeight
        return PixelSize(width + 2 * margin, height + 2 * margin)
    }

    /// The pen's place at the beginning of a line, in a picture that may be wider than the text.
    func origin(of index: Int, alignment: TextStyle.Alignment, width: Int) -> (x: Int, y: Int) {
        let line = lines[index]
        let room = width - 2 * margin - (line.right - line.left)
        let shift =
            switch alignment {
            case .left: 0
            case .center: room / 2
            case .right: room
            }
        return (margin + shift - line.left, margin + face.ascent + index * face.lineHeight)
    }
}

/// A line as it grows, character by character.
private struct LineBuilder {
    private let face: FontFace
    private var line = TextLayout.Line()
    private var last: Glyph?
    /// The pen's column, in 64ths of a pixel.
    private var pen = 0

    init(_ face: FontFace) { self.face = face }

    mutating func append(_ glyph: Glyph) {
        if let last { pen += face.kerning(last, glyph) }
        let x = (pen + 32) >> 6
        line.glyphs.append((glyph, x))
        line.left = min(line.left, x + glyph.body.left)
        line.right = max(line.right, x + glyph.body.left + glyph.body.width)
        pen += glyph.advance
        line.right = max(line.right, (pen + 32) >> 6)
        last = glyph
    }

    var finished: TextLayout.Line { line }
}

extension Unicode.Scalar {
    /// True for characters without a glyph: controls, joiners, directional marks and variation selectors.
    fileprivate var isUndrawn: Bool {
        switch properties.generalCategory {
        case .control, .format: true
        default: properties.isVariationSelector
        }
    }
}
