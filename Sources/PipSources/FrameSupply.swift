package import PipConcurrency
package import PipFrames

/// Supplies frames that have their own memory and timestamps, as a decoder does.
///
/// After an error or the end, the caller must not request another frame.
///
/// Thread: any, but one at a time.
package protocol FrameSupply: AnyObject {
    /// The format of the first frame, the rate, which may be approximate, and the length.
    ///
    /// The description must be constant.
    var description: SourceDescription { get }

    /// Cancels a wait for a frame: once the interruption is raised, the wait returns nil.
    ///
    /// Thread: any thread may raise the interruption.
    var interruption: Interruption { get }

    /// Seeks to the frame on display at a time, without reading earlier frames if possible.
    ///
    /// Call this function before the first ``next(index:)``.
    ///
    /// - Parameter time: The time since the source's start.
    /// - Returns: The number of the next frame: that of the requested frame, of an earlier frame, or of the last frame
    ///   when the source ends before.
    /// - Throws: ``SourceError`` when seeking fails.
    func skip(to time: Duration) throws(SourceError) -> Int

    /// Waits for the next frame.
    ///
    /// A frame may have another format than the frame before. Timestamps count from the source's start, and never
    /// decrease.
    ///
    /// - Parameter index: The number of the frame, counted from 0 through all loops.
    /// - Returns: The frame; nil at the end or when interrupted.
    /// - Throws: ``SourceError`` when an expected frame cannot be read.
    func next(index: Int) throws(SourceError) -> Frame?

    /// Returns the repairs of timestamps so far, as sentences; nil for a supplier that repairs none.
    ///
    /// Thread: any.
    var repairs: (@Sendable () -> [String])? { get }

    /// Receives the source's time at each composed picture, for sound that accompanies the frames; nil for a supplier
    /// that needs no times.
    var onMoment: (@Sendable (SourceMoment) -> Void)? { get }

    /// Releases files and devices.
    ///
    /// The caller must make no other call afterwards.
    func close()
}

/// The relation between a source's time and the time of the output.
package struct SourceMoment: Sendable {
    /// The output timestamp at which the source's time was 0.
    package let start: Timestamp
    /// The timestamp of the composed picture.
    package let shown: Timestamp

    package init(start: Timestamp, shown: Timestamp) {
        self.start = start
        self.shown = shown
    }
}

extension FrameSupply {
    package func skip(to time: Duration) throws(SourceError) -> Int { 0 }

    package var repairs: (@Sendable () -> [String])? { nil }
    package var onMoment: (@Sendable (SourceMoment) -> Void)? { nil }
}

/// Supplies the frames of a reader, timed by the reader's rate, in memory from a pool unless the reader provides
/// memory.
final class PooledFrames: FrameSupply {
    private let reader: any FrameReader
    private let clock: MonotonicClock
    private var pool: FramePool

    /// The number of buffers in addition to those in the queue: one for the reader, and those that the consumer keeps.
    private static let spareBuffers = 9

    init(_ reader: any FrameReader, queued: Int, _ clock: MonotonicClock) {
        self.reader = reader
        self.clock = clock
        pool = FramePool(reader.description.layout, limit: queued + Self.spareBuffers)
    }

    var description: SourceDescription { reader.description }
    var interruption: Interruption { reader.interruption }

    func skip(to time: Duration) throws(SourceError) -> Int {
        try reader.skip(to: reader.description.rate.index(at: time))
    }

    func next(index: Int) throws(SourceError) -> Frame? {
        guard let buffer = try reader.next(index: index, memory: nextBuffer) else { return nil }
        return Frame(info: reader.description.info(ofFrame: index), buffer: buffer)
    }

    func close() {}

    /// Returns a free buffer; nil when interrupted.
    ///
    /// Blocks while the consumer keeps all buffers.
    private func nextBuffer() -> FrameBuffer? {
        while !interruption.isRaised {
            if let buffer = pool.next() { return buffer }
            // The release of a frame is not announced, so the pool is polled.
            let soon = clock.now.advanced(by: .milliseconds(1))
            _ = interruption.wait(for: -1, events: 0, until: soon, by: clock)
        }
        return nil
    }
}
