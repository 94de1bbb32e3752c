/// Buffers of one layout that are used again and again, so that a frame costs no allocation.
///
/// Not thread-safe: it belongs to one producer. The frames that it hands out may go anywhere.
public struct FramePool: ~Copyable {
    public let layout: FrameLayout
    private let limit: Int
    private var buffers: [FrameBuffer] = []

    /// A pool of at most `limit` buffers, allocated when they are first needed.
    public init(_ layout: FrameLayout, limit: Int) {
        self.layout = layout
        self.limit = limit
        buffers.reserveCapacity(limit)
    }

    /// A buffer that nobody else uses; nil when all are in use.
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
