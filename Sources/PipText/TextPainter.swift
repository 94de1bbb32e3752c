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
        let plane = layout.planes[0]
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        let pixels = unsafe UnsafeMutableRawBufferPointer(
            rebasing: bytes[plane.offset..<plane.offset + plane.byteCount])
        let canvas = unsafe PaintedCanvas(
            pixels: pixels, stride: plane.strideInBytes, width: layout.size.width, height: layout.size.height)
        canvas.fill(Ink(style.background ?? .clear))
        // All outlines come first, so that none covers a neighbouring letter.
        if let outline = style.outline {
            paint(text, Ink(outline.color), on: canvas) { $0.grown }
        }
        paint(text, Ink(style.color), on: canvas) { $0.body }
    }

    private func paint(_ text: TextLayout, _ ink: Ink, on canvas: PaintedCanvas, _ shape: (Glyph) -> Glyph.Shape?) {
        for (index, line) in text.lines.enumerated() {
            let origin = text.origin(of: index, alignment: style.alignment, width: canvas.width)
            for placed in line.glyphs {
                guard let shape = shape(placed.glyph) else { continue }
                canvas.draw(shape, x: origin.x + placed.x + shape.left, y: origin.y - placed.y - shape.top, ink)
            }
        }
    }
}

/// A premultiplied colour, 0…255.
private struct Ink {
    let parts: SIMD4<UInt16>

    init(_ color: Color) {
        let alpha = min(max(color.alpha, 0), 1)
        parts = SIMD4(
            [color.red, color.green, color.blue, 1].map { UInt16((min(max($0, 0), 1) * alpha * 255).rounded()) })
    }
}

/// The pixels of the frame buffer to draw into.
@safe private struct PaintedCanvas {
    let pixels: UnsafeMutableRawBufferPointer
    let stride: Int
    let width: Int
    let height: Int

    @unsafe init(pixels: UnsafeMutableRawBufferPointer, stride: Int, width: Int, height: Int) {
        unsafe self.pixels = unsafe pixels
        self.stride = stride
        self.width = width
        self.height = height
    }

    func fill(_ ink: Ink) {
        for y in 0..<height {
            for x in 0..<width { unsafe store(ink.parts, at: y * stride + x * 4) }
        }
    }

    /// Blends a shape over the pixels.
    ///
    /// A shape of coverage is drawn in the ink's colour, a colour glyph in its own colours with the ink's opacity.
    func draw(_ shape: Glyph.Shape, x left: Int, y top: Int, _ ink: Ink) {
        let columns = max(0, -left)..<max(max(0, -left), min(shape.width, width - left))
        for row in max(0, -top)..<max(max(0, -top), min(shape.height, height - top)) {
            for column in columns {
                let index = row * shape.width + column
                let laid =
                    shape.colors.isEmpty
                    ? scaled(ink.parts, UInt16(shape.coverage[index]))
                    : scaled(SIMD4<UInt16>(truncatingIfNeeded: shape.colors[index]), ink.parts.w)
                if laid == .zero { continue }
                let offset = (top + row) * stride + (left + column) * 4
                unsafe store(laid &+ scaled(load(at: offset), 255 - laid.w), at: offset)
            }
        }
    }

    /// Multiplies components by `factor` / 255, rounded to the nearest.
    private func scaled(_ parts: SIMD4<UInt16>, _ factor: UInt16) -> SIMD4<UInt16> {
        let product = parts &* factor &+ 128
        return (product &+ (product &>> 8)) &>> 8
    }

    @unsafe private func load(at offset: Int) -> SIMD4<UInt16> {
        SIMD4<UInt16>(truncatingIfNeeded: unsafe pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
    }

    @unsafe private func store(_ parts: SIMD4<UInt16>, at offset: Int) {
        unsafe pixels.storeBytes(
            of: SIMD4<UInt8>(truncatingIfNeeded: parts), toByteOffset: offset, as: SIMD4<UInt8>.self)
    }
}
