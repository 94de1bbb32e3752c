package import PipEffects
package import PipFrames
package import PipPlan

/// A pointer to the rows of a plane or a picture.
///
/// The creator keeps the memory alive.
@safe package struct PixelPlane {
    /// The first byte of the first row.
    @unsafe package let start: UnsafeMutableRawPointer
    /// The number of bytes from row to row.
    package let stride: Int

    /// Creates a plane of rows that begin at `start`.
    @unsafe package init(start: UnsafeMutableRawPointer, stride: Int) {
        unsafe self.start = start
        self.stride = stride
    }

    /// The plane of a source's frame, for reading; nil where the frame lacks the plane, or the plane has no memory.
    package init?(of frame: Frame, plane: Int) {
        guard plane < frame.layout.planes.count, let start = unsafe frame.unsafePlane(plane) else { return nil }
        // Passes only read sources, so nothing is written through this pointer.
        unsafe self.init(
            start: UnsafeMutableRawPointer(mutating: start), stride: frame.layout.planes[plane].strideInBytes)
    }

    /// The plane of an output's frame, for drawing; nil where the frame lacks the plane, or the plane has no memory.
    package init?(of buffer: FrameBuffer, _ layout: FrameLayout, plane: Int) {
        guard plane < layout.planes.count, let start = unsafe buffer.mutableBytes(ofPlane: plane).baseAddress else {
            return nil
        }
        unsafe self.init(start: start + layout.planes[plane].offset, stride: layout.planes[plane].strideInBytes)
    }

    /// Copies rows to another plane, beginning with the first row.
    package func copy(to other: PixelPlane, rowBytes: Int, rows: Int) {
        unsafe copyRows(
            from: InputRows(start, stride: stride), to: OutputRows(other.start, stride: other.stride),
            rowBytes: rowBytes, rows: rows)
    }

    /// Copies the readback's region into an output's plane.
    package func copy(_ part: Readback, to other: PixelPlane) {
        let bytes = part.bytesPerTexel
        unsafe copyRows(
            from: InputRows(start + part.region.y * stride + part.region.x * bytes, stride: stride),
            to: OutputRows(other.start + part.offset, stride: other.stride * part.rowStep),
            rowBytes: part.region.width * bytes, rows: part.region.height)
    }

    /// Fills all texels with one value, given by its components, 0…1.
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

    /// A pointer to the bytes of a row.
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (start + index * stride).assumingMemoryBound(to: UInt8.self)
    }

    /// A pointer to the floats of a row.
    func floats(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe (start + index * stride).assumingMemoryBound(to: Float.self)
    }
}

/// The planes that a plan's passes read and write, keyed by texture.
package struct PlaneMemory {
    /// The planes, indexed by texture.
    ///
    /// Nil for sources without a frame, and for outputs that are not drawn at present.
    private var planes: [PixelPlane?]

    /// Creates a table for `count` textures, without planes.
    package init(count: Int) { planes = Array(repeating: nil, count: count) }

    package subscript(texture: RenderPlan.TextureIndex) -> PixelPlane? {
        get { planes[texture] }
        set { planes[texture] = newValue }
    }
}

/// The memory of an intermediate picture, which passes draw and read.
@safe package final class PictureMemory {
    private let bytes: UnsafeMutableRawBufferPointer
    package let plane: PixelPlane

    /// Allocates memory for a picture, padded so that loops may read beyond the end of a row.
    package init(size: PixelSize, format: TexelFormat) {
        let stride = (size.width * format.bytesPerTexel + 64).roundedUp(to: 64)
        unsafe bytes = .allocate(byteCount: stride * max(size.height, 1) + 64, alignment: 64)
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
        guard let start = unsafe bytes.baseAddress else { preconditionFailure("no memory") }
        unsafe plane = PixelPlane(start: start, stride: stride)
    }

    deinit { unsafe bytes.deallocate() }
}
