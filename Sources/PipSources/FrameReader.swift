package import PipConcurrency
package import PipFrames

/// Reads the frames of a file, a pipe, a test pattern or a provider one after the other.
///
/// After an error or the end, the caller must not read again.
///
/// Thread: any, but one at a time.
package protocol FrameReader: AnyObject {
    /// The format, rate and length of the frames.
    ///
    /// The description must be constant.
    var description: SourceDescription { get }

    /// Cancels a read that waits for a pipe: once the interruption is raised, the read returns false or nil.
    ///
    /// Thread: any thread may raise the interruption.
    var interruption: Interruption { get }

    /// Seeks to a frame, without reading earlier frames if possible.
    ///
    /// Call this function before the first read.
    ///
    /// - Parameter index: The number of the frame, counted from 0 through all loops.
    /// - Returns: The number of the next frame: `index`, a lower number when frames can only be read in order, or that
    ///   of the last frame when the source ends earlier.
    /// - Throws: ``SourceError`` when seeking fails.
    func skip(to index: Int) throws(SourceError) -> Int

    /// Fills a buffer with the next frame.
    ///
    /// Blocks while the frame is read.
    ///
    /// - Parameters:
    ///   - buffer: The memory for a frame in the description's layout.
    ///   - index: The number of the frame, counted from 0 through all loops.
    /// - Returns: True when the buffer holds the frame; false at the end or when interrupted.
    /// - Throws: ``SourceError`` when an expected frame cannot be read.
    func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool

    /// Returns the next frame in memory of the reader's choice.
    ///
    /// Blocks while the frame is read.
    ///
    /// - Parameters:
    ///   - index: The number of the frame, counted from 0 through all loops.
    ///   - memory: Returns memory for a frame in the description's layout; nil when interrupted.
    /// - Returns: The frame's memory; nil at the end or when interrupted.
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
