package import PipConcurrency
package import PipFrames

/// Frames that come one after the other, each with memory and a moment of its own: those of a decoder.
///
/// Belongs to one thread at a time. A supply that has failed or ended is not asked again.
package protocol FrameSupply: AnyObject {
    /// The format of its first frame, a rate near its own, and its length; constant.
    var description: SourceDescription { get }

    /// Ends a wait for a frame; the call then gives nil. Raised by another thread.
    var interruption: Interruption { get }

    /// Goes to the frame that is shown at a time, without reading those before it where that is possible.
    ///
    /// Before the first frame.
    ///
    /// - Parameter time: Counts from the source's start.
    /// - Returns: The number of the frame that comes next: that one or an earlier one, and the last one of a source
    ///   that ends before.
    /// - Throws: ``SourceError`` when it cannot be read there.
    func skip(to time: Duration) throws(SourceError) -> Int

    /// Waits for the next frame.
    ///
    /// Frames may be of another format than those before. Their timestamps count from the source's start, and never
    /// decrease.
    ///
    /// - Parameter index: Counts the frames from 0, loops included.
    /// - Returns: Nil at the end.
    /// - Throws: ``SourceError`` when there should be a frame but is none.
    func next(index: Int) throws(SourceError) -> Frame?

    /// What was mended of its times so far, in sentences; nil where nothing ever is. May be called by any thread.
    var repairs: (@Sendable () -> [String])? { get }

    /// Told at each moment at which its frames are shown, for what goes with them; nil for nobody.
    var onMoment: (@Sendable (SourceMoment) -> Void)? { get }

    /// Lets go of files and devices; no other call follows.
    func close()
}

/// A moment at which a source's frames are shown.
package struct SourceMoment: Sendable {
    /// The moment at which the source's time was 0.
    package let start: Timestamp
    /// The moment that the picture made of them has.
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

/// The frames of a reader, at the moments of its rate, in memory of a pool where they have none.
final class PooledFrames: FrameSupply {
    private let reader: any FrameReader
    private let clock: MonotonicClock
    private var pool: FramePool

    /// Buffers beyond those that are queued: one that is being filled, and what the consumer keeps.
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

    /// A free buffer, waiting while the consumer keeps them all; nil when interrupted.
    private func nextBuffer() -> FrameBuffer? {
        while !interruption.isRaised {
            if let buffer = pool.next() { return buffer }
            // Frames come back by being let go of, which nobody announces.
            let soon = clock.now.advanced(by: .milliseconds(1))
            _ = interruption.wait(for: -1, events: 0, until: soon, by: clock)
        }
        return nil
    }
}
