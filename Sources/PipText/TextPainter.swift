internal import PipFrames

/// Draws laid-out texts into memory: RGBA with premultiplied alpha, sRGB.
struct TextPainter {
    var style: TextStyle

    /// Draws a text over its background.
    ///
    /// - Parameters:
    ///   - text: The laid-out text.
    ///   - buffer: The frame's memory.
    ///   - layout: The frame's layout, RGBA. The whole frame is written.
    func paint(_ text: TextLayout, into buffer: FrameBuffer, _ layout: FrameLayout) {
        let plane = layout.planes[0]
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        let pixels = unsafe UnsafeMutableRawBufferPointer(
            rebasing: bytes[plane.offset..<plane.offset + plane.byteCount])
        let canvas = unsafe PaintedCanvas(
            pixels: pixels, stride: plane.strideInBytes, width: layout.size.width, height: layout.size.height)
        canvas.fill(Ink(style.background ?? .clear))
        // All outlines are drawn first, since none may lie over a neighbour's body.
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

/// The memory to draw on.
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

    /// Blends a shape over the pixels: ink with the shape's coverage, or the shape's own colours with the ink's
    /// opacity.
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

    /// Components times a 255th, rounded.
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
