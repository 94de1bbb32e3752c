/// The pixels of a glyph: the coverage of each pixel, or its colour.
struct Glyph {
    /// The pixels of a shape, row by row without padding, and their position.
    struct Shape {
        /// The distances from the pen to the leftmost column, and from the baseline up to the top row, in pixels.
        var left = 0
        var top = 0
        var width = 0
        var height = 0
        /// The coverage of each pixel, 0…255; empty for a colour glyph.
        var coverage: [UInt8] = []
        /// The red, green, blue and alpha of each pixel, premultiplied; empty unless the glyph is in colour.
        var colors: [SIMD4<UInt8>] = []
    }

    var body = Shape()
    /// The glyph grown by the width of the style's outline; nil if no outline is drawn.
    var grown: Shape?

    /// The number of bytes of the glyph's pixels.
    var byteCount: Int { [body, grown].reduce(0) { $0 + ($1.map { $0.coverage.count + 4 * $0.colors.count } ?? 0) } }
}

extension Glyph {
    /// Makes the box that is drawn in place of a glyph that is missing or unusable.
    static func box(size: Int, outline: Int?) -> Glyph {
        let line = max(1, size / 14)
        let (width, height) = (max(3, size * 11 / 20), max(4, size * 7 / 10))
        let inner = Shape(left: max(1, size / 20), top: height, width: width, height: height, line: line)
        var glyph = Glyph(body: inner)
        if let outline {
            glyph.grown = Shape(
                left: inner.left - outline, top: inner.top + outline, width: width + 2 * outline,
                height: height + 2 * outline, line: line + 2 * outline)
        }
        return glyph
    }

    /// The distance from the start of a box to the next glyph, in 64ths of a pixel.
    static func boxAdvance(size: Int) -> Int {
        let body = box(size: size, outline: nil).body
        return (body.width + 2 * body.left) * 64
    }
}

extension Glyph.Shape {
    /// Draws the outline of a rectangle.
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

    /// Returns a colour glyph scaled by a triangle filter.
    ///
    /// The filter's half width is one pixel of the smaller of the two pictures. A shape of coverage stays the same,
    /// because its font already draws the shape at the right size.
    func scaled(by scale: Double) -> Glyph.Shape {
        guard scale != 1, !colors.isEmpty else { return self }
        let columns = Taps.across(width, scale: scale)
        let rows = Taps.across(height, scale: scale)
        let source = colors.map { SIMD4<Float>($0) }
        var narrow: [SIMD4<Float>] = []
        for row in 0..<height {
            for taps in columns {
                narrow.append(taps.sum { source[row * width + $0] })
            }
        }
        var scaled = Glyph.Shape(
            left: Int((Double(left) * scale).rounded()), top: Int((Double(top) * scale).rounded()),
            width: columns.count, height: rows.count)
        for taps in rows {
            for column in columns.indices {
                let color = taps.sum { narrow[$0 * columns.count + column] }
                scaled.colors.append(SIMD4<UInt8>(clamping: SIMD4<Int32>(color, rounding: .toNearestOrAwayFromZero)))
            }
        }
        return scaled
    }
}

/// The pixels of a row or column that one pixel of the scaled picture is computed from, with their weights.
private struct Taps {
    private var first: Int
    private var weights: [Float]

    /// The taps of all pixels of a scaled row, whose unscaled row has `count` pixels.
    static func across(_ count: Int, scale: Double) -> [Taps] {
        let reach = max(1, 1 / scale)
        return (0..<max(1, Int((Double(count) * scale).rounded(.up)))).map { index in
            let center = min((Double(index) + 0.5) / scale - 0.5, Double(count - 1))
            let first = max(0, Int((center - reach).rounded(.up)))
            let last = max(first, min(count - 1, Int((center + reach).rounded(.down))))
            let weights = (first...last).map { Float(max(0, 1 - abs(Double($0) - center) / reach)) }
            let sum = weights.reduce(0, +)
            return Taps(first: first, weights: sum > 0 ? weights.map { $0 / sum } : weights)
        }
    }

    func sum(_ pixel: (Int) -> SIMD4<Float>) -> SIMD4<Float> {
        weights.indices.reduce(into: SIMD4<Float>()) { $0 += weights[$1] * pixel(first + $1) }
    }
}
