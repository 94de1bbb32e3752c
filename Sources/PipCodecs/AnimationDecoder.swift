internal import CYUV
package import PipFrames

/// Decodes the pictures of an animation in order, to 8-bit RGBA with premultiplied alpha.
///
/// Thread: any, but one at a time.
package protocol AnimationDecoder: AnyObject {
    /// Decodes the next picture, composited with the earlier pictures.
    ///
    /// - Parameters:
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: An RGBA layout of the file's size.
    /// - Returns: True for a decoded picture; false when no picture is left.
    /// - Throws: ``CodecError`` when the picture is damaged.
    func next(into buffer: FrameBuffer, _ layout: FrameLayout) throws(CodecError) -> Bool
}

extension FrameBuffer {
    /// Copies contiguous rows of pixels into the buffer, whose packed layout may have padded rows.
    func fill(_ layout: FrameLayout, with pixels: RawSpan) {
        let plane = layout.planes[0]
        let (width, rows) = (CInt(plane.rowBytes), CInt(plane.dimensions.height))
        unsafe pixels.withUnsafeBytes { pixels in
            guard let target = unsafe packedPixels(layout), pixels.count >= plane.rowBytes * plane.dimensions.height,
                let source = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            else { return }
            unsafe CopyPlane(source, width, target, CInt(plane.strideInBytes), width, rows)
        }
    }

    /// A pointer to the first pixel of a packed layout; nil for a buffer without memory.
    @unsafe func packedPixels(_ layout: FrameLayout) -> UnsafeMutablePointer<UInt8>? {
        unsafe mutableBytes(ofPlane: 0).baseAddress.map {
            unsafe ($0 + layout.planes[0].offset).assumingMemoryBound(to: UInt8.self)
        }
    }

    /// Multiplies the colours of RGBA pixels by their alpha, in place.
    func premultiply(_ layout: FrameLayout) {
        let plane = layout.planes[0]
        let memory = unsafe mutableBytes(ofPlane: 0)
        for row in 0..<plane.dimensions.height {
            let start = plane.offset + row * plane.strideInBytes
            for pixel in stride(from: start, to: start + plane.rowBytes, by: 4) {
                let alpha = unsafe Int(memory[pixel + 3])
                guard alpha < 255 else { continue }
                for byte in pixel..<pixel + 3 { unsafe memory[byte] = UInt8((Int(memory[byte]) * alpha + 127) / 255) }
            }
        }
    }
}
