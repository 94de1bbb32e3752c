/// The memory of one frame's planes, returned to its producer by reference counting.
///
/// A reader of the pixels keeps a reference. The producer (a camera, a file reader, the renderer's read-back) writes
/// again only when it holds the last reference, so no buffer is given back by hand, or twice.
@safe public final class FrameBuffer: @unchecked Sendable {
    // Written only by the producer, and only while no one else has a reference: see `isKnownUniquelyReferenced`.
    private let planes: [UnsafeMutableRawBufferPointer]
    private let backing: AnyObject?
    private let ownsMemory: Bool
    /// The dma-buf of each plane, as a file descriptor that `backing` owns; empty for other memory.
    package let descriptors: [CInt]

    /// Allocates uninitialized memory for a layout, all planes in one block, 64-byte aligned.
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

    /// Wraps memory that something else owns, such as a driver's mapping.
    ///
    /// - Parameters:
    ///   - planes: The memory of each plane, from which its layout's offset counts. Planes may share memory.
    ///   - backing: The owner, kept alive as long as this buffer; its `deinit` frees the memory and closes the
    ///     descriptors.
    ///   - descriptors: The dma-buf of each plane, from which its memory is mapped; empty for other memory.
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

    /// Lends a plane's bytes for writing: `dimensions.height` rows of `strideInBytes`, the first of them the top one.
    ///
    /// Only the producer of the frame may call this, and only until it hands the frame on: later, others read the
    /// memory.
    ///
    /// - Parameters:
    ///   - plane: The index of the plane in the layout, from 0.
    ///   - layout: The layout that the buffer was made for.
    ///   - body: Writes the bytes; the last row may end after `rowBytes`.
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

    /// The memory that a plane's offset counts from, for reading.
    @unsafe package func bytes(ofPlane plane: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(planes[plane])
    }

    /// The memory that a plane's offset counts from, for its producer to write.
    @unsafe package func mutableBytes(ofPlane plane: Int) -> UnsafeMutableRawBufferPointer {
        unsafe planes[plane]
    }
}
