package import PipEffects
package import PipFrames
package import PipPlan

/// The memory of a plane's or a picture's rows.
@safe package struct PixelPlane {
    /// The first byte of the first row.
    @unsafe package let start: UnsafeMutableRawPointer
    /// Bytes from row to row.
    package let stride: Int

    /// Rows from their first byte.
    @unsafe package init(start: UnsafeMutableRawPointer, stride: Int) {
        unsafe self.start = start
        self.stride = stride
    }

    /// A plane of a frame; nil where the frame has no such plane.
    package init?(of frame: Frame, plane: Int) {
        guard plane < frame.layout.planes.count, let start = unsafe frame.unsafePlane(plane) else { return nil }
        // Nobody writes through this pointer, since passes only read sources.
        unsafe self.init(
            start: UnsafeMutableRawPointer(mutating: start), stride: frame.layout.planes[plane].strideInBytes)
    }

    /// A plane of a frame that is drawn.
    package init?(of buffer: FrameBuffer, _ layout: FrameLayout, plane: Int) {
        guard let start = unsafe buffer.mutableBytes(ofPlane: plane).baseAddress else { return nil }
        unsafe self.init(start: start + layout.planes[plane].offset, stride: layout.planes[plane].strideInBytes)
    }

    /// Copies rows from the first one on.
    package func copy(to other: PixelPlane, rowBytes: Int, rows: Int) {
        unsafe copyRows(
            from: InputRows(start, stride: stride), to: OutputRows(other.start, stride: other.stride),
            rowBytes: rowBytes, rows: rows)
    }

    /// Copies a part of a picture into a plane.
    package func copy(_ part: Readback, to other: PixelPlane) {
        let bytes = part.bytesPerTexel
        unsafe copyRows(
            from: InputRows(start + part.region.y * stride + part.region.x * bytes, stride: stride),
            to: OutputRows(other.start + part.offset, stride: other.stride * part.rowStep),
            rowBytes: part.region.width * bytes, rows: part.region.height)
    }

    /// Sets all texels to one value.
    package func fill(with parts: [Float], size: PixelSize, format: TexelFormat) {
        for line in 0..<size.height {
            if format == .rgba32f {
                for index in 0..<4 * size.width { unsafe floats(line)[index] = parts[index % 4] }
            } else {
                let count = format.bytesPerTexel
                for index in 0..<count * size.width {
                    unsafe row(line)[index] = UInt8((min(max(parts[index % count], 0), 1) * 255).rounded())
                }
            }
        }
    }

    /// The bytes of a row.
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (start + index * stride).assumingMemoryBound(to: UInt8.self)
    }

    /// The floats of a row.
    func floats(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe (start + index * stride).assumingMemoryBound(to: Float.self)
    }
}

/// The planes that the passes of a plan read and write, keyed by the indices of its textures.
package struct PlaneMemory {
    /// The planes, by texture.
    ///
    /// Nil for sources without a frame, and for outputs that are not drawn at present.
    private var planes: [PixelPlane?]

    /// Memory without planes.
    package init(count: Int) { planes = Array(repeating: nil, count: count) }

    package subscript(texture: RenderPlan.TextureIndex) -> PixelPlane? {
        get { planes[texture] }
        set { planes[texture] = newValue }
    }
}

/// Memory of a picture that passes draw into for other passes.
@safe package final class PictureMemory {
    private let bytes: UnsafeMutableRawBufferPointer
    package let plane: PixelPlane

    /// Uninitialized memory for a texture; rows may be read beyond their end.
    package init(size: PixelSize, format: TexelFormat) {
        let stride = (size.width * format.bytesPerTexel + 64).roundedUp(to: 64)
        unsafe bytes = .allocate(byteCount: stride * max(size.height, 1) + 64, alignment: 64)
        // A picture that is shown before it is drawn is black, not the memory's former contents.
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
        guard let start = unsafe bytes.baseAddress else { preconditionFailure("no memory") }
        unsafe plane = PixelPlane(start: start, stride: stride)
    }

    deinit { unsafe bytes.deallocate() }
}
