package import PipConcurrency
package import PipFrames

/// Writes frames to a file, a pipe or another destination.
///
/// The caller must call ``open(_:rate:)`` once, then ``write(_:)`` for each frame, then ``finish()``. After an error,
/// only ``finish()`` may follow, or the next frame if the writer writes each frame to its own file.
///
/// Thread: any, but one at a time.
package protocol FrameWriter: AnyObject {
    /// The file's path, or the sink's name, for messages and statistics.
    var name: String { get }

    /// The requested format of the frames.
    ///
    /// The request must be constant.
    var request: SinkRequest { get }

    /// True for a format without timestamps, whose file needs a repeated frame in place of each omitted frame.
    ///
    /// The value must be constant.
    var hasFixedRate: Bool { get }

    /// Cancels a write that waits for the reader of a pipe: once the interruption is raised, the write throws.
    ///
    /// Thread: any thread may raise the interruption.
    var interruption: Interruption { get }

    /// Opens the destination, or checks that its files can be created.
    ///
    /// - Parameters:
    ///   - info: The layout, colour encoding and orientation that all frames share.
    ///   - rate: The output's frame rate, for formats that store it.
    /// - Throws: ``SinkError`` when the destination cannot be opened, or the frames do not suit the writer.
    func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError)

    /// Writes a frame.
    ///
    /// Blocks until the destination has taken the frame.
    func write(_ frame: Frame) throws(SinkError)

    /// Starts to flush written data to the disk; with `isThorough`, blocks until the disk has all of the data.
    ///
    /// Has no effect unless the writer writes a single regular file.
    ///
    /// - Throws: ``SinkError`` when the disk has refused data that was written before.
    func sync(isThorough: Bool) throws(SinkError)

    /// Flushes the new file's name to the disk, so that a power failure does not lose the file.
    ///
    /// Has no effect unless the writer writes a single regular file.
    func keepName()

    /// Completes and closes the destination; must be called after an error, too.
    func finish() throws(SinkError)
}

extension FrameWriter {
    package func sync(isThorough: Bool) {}

    package func keepName() {}

    package var hasFixedRate: Bool { false }

    /// Checks that a frame has the format and the size for which the destination was opened.
    package func check(_ frame: Frame, _ opened: FrameLayout) throws(SinkError) {
        guard frame.layout.format == opened.format, frame.layout.size == opened.size else {
            throw SinkError(
                name, "write", .failed,
                "frames must be \(opened.size) \(opened.format), not \(frame.layout.size) \(frame.layout.format)"
            )
        }
    }

    /// Checks that future frames have the requested format.
    package func check(_ info: FrameInfo) throws(SinkError) {
        guard info.layout.format == request.format else {
            throw SinkError(
                name, "open", .invalidOptions, "frames must be \(request.format), not \(info.layout.format)")
        }
    }
}
