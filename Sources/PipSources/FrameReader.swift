package import PipConcurrency
package import PipFrames

/// Frames that are read or made one after the other.
///
/// Belongs to one thread at a time. A reader that has failed or ended is not read again.
package protocol FrameReader: AnyObject {
    /// The format, rate and length of its frames; constant.
    var description: SourceDescription { get }

    /// Ends a read that waits for a pipe; that read returns false. Raised by another thread.
    var interruption: Interruption { get }

    /// Goes to a frame, without reading those before it where that is possible.
    ///
    /// Before the first read.
    ///
    /// - Parameter index: Counts the frames from 0, loops included.
    /// - Returns: The frame that comes next: an earlier one where frames are read in order only, and the last one of a
    ///   source that ends before it.
    /// - Throws: ``SourceError`` when it cannot be read there.
    func skip(to index: Int) throws(SourceError) -> Int

    /// Fills a buffer with the next frame; blocks while it is read.
    ///
    /// - Parameters:
    ///   - buffer: Memory for the description's layout.
    ///   - index: Counts the frames read from 0, loops included.
    /// - Returns: False at the end; the buffer's content is then undefined.
    /// - Throws: ``SourceError`` when there should be a frame but is none.
    func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool

    /// Gives the next frame in memory of its own; blocks while it is read.
    ///
    /// - Parameters:
    ///   - index: Counts the frames read from 0, loops included.
    ///   - memory: Gives memory for the description's layout, where the frame has none; nil when interrupted.
    /// - Returns: Nil at the end.
    /// - Throws: ``SourceError`` when there should be a frame but is none.
    func next(index: Int, memory: () -> FrameBuffer?) throws(SourceError) -> FrameBuffer?
}

extension FrameReader {
    package func skip(to index: Int) throws(SourceError) -> Int { 0 }

    package func next(index: Int, memory: () -> FrameBuffer?) throws(SourceError) -> FrameBuffer? {
        guard let buffer = memory(), try read(into: buffer, index: index) else { return nil }
        return buffer
    }
}
