internal import PipConcurrency
internal import PipFrames

/// Copies a camera's frames for those who record every one of them.
///
/// Belongs to one thread. A frame costs one copy, however many record it; nobody is waited for.
struct FrameCopier: ~Copyable {
    private let rate: FrameRate?
    private var pool: FramePool

    /// Pictures that recordings hold at once: beyond them, frames are dropped and counted.
    private static let poolLimit = 24

    /// - Parameters:
    ///   - layout: The layout of the frames; their place in memory may be another.
    ///   - rate: The rate that the driver promises.
    init(_ layout: FrameLayout, rate: FrameRate?) {
        self.rate = rate
        pool = FramePool(FrameLayout(layout.format, layout.size), limit: Self.poolLimit)
    }

    /// Copies a picture of pixels to all subscribers.
    mutating func copy(_ frame: Frame, to subscribers: [CountedQueue<CapturedFrame>]) {
        guard let buffer = pool.next() else {
            for subscriber in subscribers { subscriber.countDrop() }
            return
        }
        let copy = frame.copied(into: buffer, pool.layout)
        let captured = CapturedFrame(info: copy.info, rate: rate, payload: .pixels(buffer))
        for subscriber in subscribers { subscriber.offer(captured) }
    }

    /// Copies a JPEG picture to all subscribers.
    ///
    /// - Parameters:
    ///   - picture: As the driver delivered it.
    ///   - info: What is known of it, with the layout of its decoded frame.
    ///   - subscribers: Who gets it.
    func copy(_ picture: UndecodedFrame, _ info: FrameInfo, to subscribers: [CountedQueue<CapturedFrame>]) {
        let bytes = unsafe UnsafeRawBufferPointer(
            rebasing: picture.buffer.bytes(ofPlane: 0)[picture.offset..<picture.offset + picture.byteCount])
        let captured = unsafe CapturedFrame(info: info, rate: rate, payload: .jpeg(Array(bytes)))
        for subscriber in subscribers { subscriber.offer(captured) }
    }
}
