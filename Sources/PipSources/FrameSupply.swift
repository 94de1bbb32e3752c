package import PipConcurrency
package import PipFrames

/// A supplier of frames with memory and timestamps of their own, such as a decoder.
///
/// A supplier that has failed or ended must not be asked again.
///
/// Thread: one at a time.
package protocol FrameSupply: AnyObject {
    /// The format of the first frame, an approximate rate, and the length.
    ///
    /// It must be constant.
    var description: SourceDescription { get }

    /// Cancels a wait for a frame, which then returns nil.
    ///
    /// Thread: another one raises it.
    var interruption: Interruption { get }

    /// Seeks to the frame on display at a time, without reading earlier frames if possible.
    ///
    /// Call it before the first frame.
    ///
    /// - Parameter time: The time since the source's start.
    /// - Returns: The number of the next frame: that one or an earlier one, or the last one of a source that ends
    ///   before.
    /// - Throws: ``SourceError`` when seeking fails.
    func skip(to time: Duration) throws(SourceError) -> Int

    /// Waits for the next frame.
    ///
    /// A frame may have another format than the one before. Timestamps count from the source's start, and never
    /// decrease.
    ///
    /// - Parameter index: The number of the frame, from 0, loops included.
    /// - Returns: The frame; nil at the end.
    /// - Throws: ``SourceError`` when an expected frame cannot be read.
    func next(index: Int) throws(SourceError) -> Frame?

    /// The repairs of timestamps so far, in sentences; nil for a supplier that repairs none.
    ///
    /// Thread: any.
    var repairs: (@Sendable () -> [String])? { get }

    /// Receives each moment at which frames are shown, for what accompanies them; nil to receive none.
    var onMoment: (@Sendable (SourceMoment) -> Void)? { get }

    /// Releases files and devices.
    ///
    /// No other call follows.
    func close()
}

/// A moment at which a source's frames are shown.
package struct SourceMoment: Sendable {
    /// The moment at which the source's time was 0.
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

/// The frames of a reader, stamped by its rate, in pooled memory unless they have their own.
final class PooledFrames: FrameSupply {
    private let reader: any FrameReader
    private let clock: MonotonicClock
    private var pool: FramePool

    /// The number of buffers in addition to the queued ones: one being filled, and those that the consumer keeps.
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

    /// A free buffer.
    ///
    /// Blocks while the consumer keeps all of them; nil when interrupted.
    private func nextBuffer() -> FrameBuffer? {
        while !interruption.isRaised {
            if let buffer = pool.next() { return buffer }
            // Nobody announces the release of a frame.
            let soon = clock.now.advanced(by: .milliseconds(1))
            _ = interruption.wait(for: -1, events: 0, until: soon, by: clock)
        }
        return nil
    }
}
