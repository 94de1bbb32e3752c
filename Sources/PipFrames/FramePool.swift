/// A pool of frame buffers of one layout: after warm-up, frames cost no allocation.
///
/// Not thread-safe: it belongs to one producer. The frames that it hands out may go anywhere.
public struct FramePool: ~Copyable {
    /// The layout of every buffer.
    public let layout: FrameLayout
    private let limit: Int
    private var buffers: [FrameBuffer] = []

    /// Makes a pool of at most `limit` buffers, each allocated on first use.
    public init(_ layout: FrameLayout, limit: Int) {
        self.layout = layout
        self.limit = limit
        buffers.reserveCapacity(limit)
    }

    /// Returns a buffer that no frame references; nil when all `limit` buffers are in use.
    ///
    /// Its contents are undefined.
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
