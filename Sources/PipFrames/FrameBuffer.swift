/// The memory of one frame's planes, which the producer reuses once nobody else holds a reference.
///
/// A reader of the pixels keeps a reference. The producer (a camera, a file reader, the renderer's read-back) writes
/// again only while it holds the only reference, so no buffer needs to be returned explicitly.
@safe public final class FrameBuffer: @unchecked Sendable {
    // Sendable, because only the producer writes, and only while nobody else holds a reference
    // (`isKnownUniquelyReferenced`).
    private let planes: [UnsafeMutableRawBufferPointer]
    private let backing: AnyObject?
    private let ownsMemory: Bool
    /// The file descriptor of each plane's dma-buf, owned by `backing`; empty for other memory.
    package let descriptors: [CInt]

    /// Allocates uninitialized memory for a layout, as one block for all planes, aligned to 64 bytes.
    public convenience init(_ layout: FrameLayout) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(layout.byteCount, 1), alignment: 64)
        unsafe self.init(block: bytes, planeCount: layout.planes.count)
    }

    private init(block: UnsafeMutableRawBufferPointer, planeCount: Int) {
        unsafe planes = unsafe Array(repeating: block, count: planeCount)
        backing = nil
        ownsMemory = true
        descriptors = []
    }

    /// Wraps memory that another object owns, such as a driver's mapping.
    ///
    /// - Parameters:
    ///   - planes: The memory of each plane. The plane's offset counts from the start of this memory. Planes may share
    ///     memory.
    ///   - backing: The owner of the memory, kept alive as long as the buffer. Its `deinit` must free the memory and
    ///     close the descriptors.
    ///   - descriptors: The dma-buf of each plane, whose memory is mapped in `planes`; empty for other memory.
    @unsafe package init(planes: [UnsafeMutableRawBufferPointer], backing: AnyObject?, descriptors: [CInt] = []) {
        assert(unsafe descriptors.isEmpty || descriptors.count == planes.count)
        unsafe self.planes = unsafe planes
        self.backing = backing
        self.descriptors = descriptors
        ownsMemory = false
    }

    deinit {
        if ownsMemory { unsafe planes[0].deallocate() }
    }

    /// Calls `body` with a plane's bytes for writing: `dimensions.height` rows, `strideInBytes` apart, from the top row
    /// down.
    ///
    /// Only the producer of the frame may call this method, and only before it delivers the frame, because others read
    /// the memory from then on.
    ///
    /// - Parameters:
    ///   - plane: The index of the plane in the layout, from 0.
    ///   - layout: The layout that the buffer was made for.
    ///   - body: Writes the bytes. The last row ends after `rowBytes`.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func withMutablePlane<R, E: Error>(
        _ plane: Int, of layout: FrameLayout, _ body: (inout MutableRawSpan, PlaneLayout) throws(E) -> R
    ) throws(E) -> R {
        let part = layout.planes[plane]
        let bytes = unsafe planes[plane]
        var span = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[part.offset..<part.offset + part.byteCount])
            .mutableBytes
        return try body(&span, part)
    }

    /// The memory of a plane, for reading; ``PlaneLayout/offset`` counts from the start of this memory.
    @unsafe package func bytes(ofPlane plane: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(planes[plane])
    }

    /// The memory of a plane, for the producer to write; ``PlaneLayout/offset`` counts from the start of this memory.
    @unsafe package func mutableBytes(ofPlane plane: Int) -> UnsafeMutableRawBufferPointer {
        unsafe planes[plane]
    }
}
