internal import PipFrames

/// A premultiplied colour, 0…255.
struct Ink {
    let parts: SIMD4<UInt16>

    init(_ color: Color) {
        let alpha = min(max(color.alpha, 0), 1)
        parts = SIMD4(
            [color.red, color.green, color.blue, 1].map { UInt16((min(max($0, 0), 1) * alpha * 255).rounded()) })
    }
}

/// The pixels of the frame buffer to draw into.
@safe struct PaintedCanvas {
    private let pixels: UnsafeMutableRawBufferPointer
    private let stride: Int
    let width: Int
    let height: Int

    /// - Parameters:
    ///   - buffer: The frame buffer, which must outlive the canvas.
    ///   - layout: The buffer's RGBA layout.
    init(_ buffer: FrameBuffer, _ layout: FrameLayout) {
        let plane = layout.planes[0]
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        unsafe pixels = unsafe UnsafeMutableRawBufferPointer(
            rebasing: bytes[plane.offset..<plane.offset + plane.byteCount])
        (stride, width, height) = (plane.strideInBytes, layout.size.width, layout.size.height)
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
