internal import PipFrames

/// Draws laid-out texts into frame buffers, in sRGB with premultiplied alpha.
struct TextPainter {
    var style: TextStyle

    /// Draws a text over its background.
    ///
    /// - Parameters:
    ///   - text: The laid-out text.
    ///   - buffer: The frame buffer to draw into.
    ///   - layout: The buffer's RGBA layout. All pixels are written.
    func paint(_ text: TextLayout, into buffer: FrameBuffer, _ layout: FrameLayout) {
        let canvas = PaintedCanvas(buffer, layout)
        canvas.fill(Ink(style.background ?? .clear))
        paint(text, on: canvas, x: 0, y: 0, width: canvas.width)
    }

    /// Draws the letters of a text over a picture.
    ///
    /// - Parameters:
    ///   - text: The laid-out text.
    ///   - canvas: The picture.
    ///   - x: The left edge of the text's own picture.
    ///   - y: The top edge of the text's own picture.
    ///   - width: The width of the text's own picture, within which its lines are aligned.
    func paint(_ text: TextLayout, on canvas: PaintedCanvas, x: Int, y: Int, width: Int) {
        /// Draws one shape of each glyph.
        func paint(_ ink: Ink, _ shape: (Glyph) -> Glyph.Shape?) {
            for (index, line) in text.lines.enumerated() {
                let origin = text.origin(of: index, alignment: style.alignment, width: width)
                for placed in line.glyphs {
                    guard let shape = shape(placed.glyph) else { continue }
                    canvas.draw(
                        shape, x: x + origin.x + placed.x + shape.left, y: y + origin.y - placed.y - shape.top, ink)
                }
            }
        }
        // All outlines come first, so that none covers a neighbouring letter.
        if let outline = style.outline { paint(Ink(outline.color)) { $0.grown } }
        paint(Ink(style.color)) { $0.body }
    }
}
