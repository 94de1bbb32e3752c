internal import PipFrames

/// The lines of a text, with the positions of their glyphs.
struct TextLayout {
    private(set) var lines: [TextLine] = []
    /// The row of each line's baseline, counted from the top of the first line.
    private(set) var baselines: [Int] = []
    /// The characters that no font has.
    private(set) var missing: [Unicode.Scalar] = []
    private let margin: Int
    /// The number of rows of all lines together.
    private var height = 0

    /// Lays out a text.
    ///
    /// - Parameters:
    ///   - text: The text; `\n` begins a new line.
    ///   - fonts: The style's font and its substitutes.
    ///   - margin: The margin around the letters, in pixels.
    ///   - longest: The longest allowed side of a picture, in pixels. Text beyond it is measured, but gets no glyphs.
    init(_ text: String, fonts: FontSet, margin: Int, longest: Int) {
        self.margin = margin
        let isRightToLeft = BidiLevels.isRightToLeft(text.unicodeScalars.map(\.value))
        for line in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) {
            guard height <= longest else {
                height += fonts.main.lineHeight
                continue
            }
            let shaped = ShapedLine(line.flatMap(\.drawn), fonts: fonts, isRightToLeft: isRightToLeft)
            missing += shaped.missing
            let line = TextLine(shaped, fonts: fonts, longest: longest)
            var baseline = line.ascent
            if let last = lines.last, let above = baselines.last {
                baseline = above + max(fonts.main.lineHeight, last.descent + line.ascent)
            }
            lines.append(line)
            baselines.append(baseline)
            height = baseline + line.descent
        }
    }

    /// The size of the smallest picture that holds the text with its margin; one pixel for an empty text.
    var size: PixelSize {
        let width = lines.reduce(0) { max($0, $1.right - $1.left) }
        guard width > 0 else { return PixelSize(1, 1) }
        return PixelSize(width + 2 * margin, height + 2 * margin)
    }

    /// The position of the pen at the left end of a line, in a picture that may be wider than the text.
    func origin(of index: Int, alignment: TextStyle.Alignment, width: Int) -> (x: Int, y: Int) {
        let line = lines[index]
        let room = width - 2 * margin - (line.right - line.left)
        let shift =
            switch alignment {
            case .left: 0
            case .center: room / 2
            case .right: room
            case .start: line.isRightToLeft ? room : 0
            }
        return (margin + shift - line.left, margin + baselines[index])
    }
}

extension Unicode.Scalar {
    fileprivate var endsLine: Bool { self == "\n" || self == "\u{2028}" || self == "\u{2029}" }

    /// The characters that are drawn for this character: four spaces for a tab, none for other control characters.
    fileprivate var drawn: [Unicode.Scalar] {
        if self == "\t" { return Array(repeating: " ", count: 4) }
        return properties.generalCategory == .control ? [] : [self]
    }
}
