/// A pool of frame buffers of one layout; once all buffers are allocated, a frame costs no allocation.
///
/// Thread: one producer at a time. The frames in the buffers may be used on any thread.
public struct FramePool: ~Copyable {
    /// The layout of all buffers in the pool.
    public let layout: FrameLayout
    private let limit: Int
    private var buffers: [FrameBuffer] = []

    /// Creates a pool of at most `limit` buffers; each is allocated when it is first needed.
    public init(_ layout: FrameLayout, limit: Int) {
        self.layout = layout
        self.limit = limit
        buffers.reserveCapacity(limit)
    }

    /// Returns a buffer that no frame references; nil when frames reference all `limit` buffers.
    ///
    /// The buffer's contents are undefined.
    public mutating func next() -> FrameBuffer? {
        for index in buffers.indices where isKnownUniquelyReferenced(&buffers[index]) {
            return buffers[index]
        }
        guard buffers.count < limit else { return nil }
        let buffer = FrameBuffer(layout)
        buffers.append(buffer)
        return buffer
    }
}
