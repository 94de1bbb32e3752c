/// One character's shape: how much of each pixel it covers.
struct Glyph {
    /// Coverage, 0…255, row by row without padding.
    struct Shape {
        /// From the pen to the leftmost column, and from the baseline up to the top row.
        var left = 0
        var top = 0
        var width = 0
        var height = 0
        var coverage: [UInt8] = []
    }

    /// The character's number in its font; 0 where the font lacks it.
    var index: UInt32
    var body = Shape()
    /// The character grown by the outline's width; nil without an outline.
    var grown: Shape?
    /// The advance width, in 64ths of a pixel.
    var advance: Int
}

extension Glyph {
    /// A box that stands for a character that a font lacks.
    static func box(size: Int, outline: Int?) -> Glyph {
        let line = max(1, size / 14)
        let (width, height) = (max(3, size * 11 / 20), max(4, size * 7 / 10))
        let inner = Shape(left: max(1, size / 20), top: height, width: width, height: height, line: line)
        var glyph = Glyph(index: 0, body: inner, advance: (width + 2 * inner.left) * 64)
        if let outline {
            glyph.grown = Shape(
                left: inner.left - outline, top: inner.top + outline, width: width + 2 * outline,
                height: height + 2 * outline, line: line + 2 * outline)
        }
        return glyph
    }
}

extension Glyph.Shape {
    /// A rectangle's frame.
    fileprivate init(left: Int, top: Int, width: Int, height: Int, line: Int) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        coverage = (0..<height).flatMap { row in
            (0..<width).map { column in
                let isEdge = row < line || row >= height - line || column < line || column >= width - line
                return isEdge ? UInt8(255) : 0
            }
        }
    }
}
