package import PipFrames

/// Decodes a file's pictures one after the other, as RGBA of 8 bits with alpha multiplied into the colours.
///
/// Belongs to one thread at a time.
package protocol AnimationDecoder: AnyObject {
    /// Decodes the next picture, composed with its predecessors as it is shown.
    ///
    /// - Parameters:
    ///   - buffer: Memory for the layout.
    ///   - layout: RGBA, of the file's size.
    /// - Returns: False behind the last picture.
    /// - Throws: ``CodecError`` when the picture is damaged.
    func next(into buffer: FrameBuffer, _ layout: FrameLayout) throws(CodecError) -> Bool
}

extension FrameBuffer {
    /// Fills a packed layout's rows with rows that lie one after the other.
    func fill(_ layout: FrameLayout, with pixels: RawSpan) {
        let plane = layout.planes[0]
        let memory = unsafe mutableBytes(ofPlane: 0)
        unsafe pixels.withUnsafeBytes { pixels in
            for row in 0..<plane.dimensions.height {
                let source = unsafe pixels[row * plane.rowBytes..<(row + 1) * plane.rowBytes]
                let start = plane.offset + row * plane.strideInBytes
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + plane.rowBytes])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source))
            }
        }
    }

    /// Multiplies alpha into the colours of straight RGBA.
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
