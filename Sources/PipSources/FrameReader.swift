package import PipConcurrency
package import PipFrames

/// A reader of frames, one after the other.
///
/// A reader that has failed or ended must not be read again.
///
/// Thread: one at a time.
package protocol FrameReader: AnyObject {
    /// The format, rate and length of the frames.
    ///
    /// It must be constant.
    var description: SourceDescription { get }

    /// Cancels a read that waits for a pipe, which then returns false.
    ///
    /// Thread: another one raises it.
    var interruption: Interruption { get }

    /// Seeks to a frame, without reading earlier frames if possible.
    ///
    /// Call it before the first read.
    ///
    /// - Parameter index: The number of the frame, from 0, loops included.
    /// - Returns: The number of the next frame. It is lower where frames can only be read in order, and the last one of
    ///   a source that ends earlier.
    /// - Throws: ``SourceError`` when seeking fails.
    func skip(to index: Int) throws(SourceError) -> Int

    /// Fills a buffer with the next frame.
    ///
    /// Blocks while it is read.
    ///
    /// - Parameters:
    ///   - buffer: The memory for the description's layout.
    ///   - index: The number of the frame, from 0, loops included.
    /// - Returns: False at the end; the buffer's content is then undefined.
    /// - Throws: ``SourceError`` when an expected frame cannot be read.
    func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool

    /// Returns the next frame in memory of the reader's choice.
    ///
    /// Blocks while it is read.
    ///
    /// - Parameters:
    ///   - index: The number of the frame, from 0, loops included.
    ///   - memory: A source of memory for the description's layout; nil when interrupted.
    /// - Returns: The frame; nil at the end.
    /// - Throws: ``SourceError`` when an expected frame cannot be read.
    func next(index: Int, memory: () -> FrameBuffer?) throws(SourceError) -> FrameBuffer?
}

extension FrameReader {
    package func skip(to index: Int) throws(SourceError) -> Int { 0 }

    package func next(index: Int, memory: () -> FrameBuffer?) throws(SourceError) -> FrameBuffer? {
        guard let buffer = memory(), try read(into: buffer, index: index) else { return nil }
        return buffer
    }
}
