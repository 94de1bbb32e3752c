package import PipConcurrency
package import PipFrames

/// A destination for frames: opened once, then written frame by frame, then finished.
///
/// After an error only ``finish()`` may follow, unless each frame has a file of its own: then the next frame may be
/// written.
///
/// Thread: one at a time.
package protocol FrameWriter: AnyObject {
    /// The file's path, or the sink's name, for messages and statistics.
    var name: String { get }

    /// The requested format.
    ///
    /// It must be constant.
    var request: SinkRequest { get }

    /// True for files without timestamps, which dropped frames would shorten.
    ///
    /// It must be constant.
    var hasFixedRate: Bool { get }

    /// Cancels a write that waits for a pipe's reader, which then throws.
    ///
    /// Thread: another one raises it.
    var interruption: Interruption { get }

    /// Creates the file, or opens the pipe.
    ///
    /// - Parameters:
    ///   - info: The layout, colour encoding and orientation that all frames share.
    ///   - rate: The output's frame rate, for formats that store it.
    /// - Throws: ``SinkError`` when the destination cannot be opened.
    func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError)

    /// Writes a frame.
    ///
    /// Blocks while the disk or the pipe takes it.
    func write(_ frame: Frame) throws(SinkError)

    /// Starts to flush written data to the disk; with `isThorough`, blocks until all of it has arrived.
    ///
    /// - Throws: ``SinkError`` when the disk has refused data that was written before.
    func sync(isThorough: Bool) throws(SinkError)

    /// Flushes the file's name to the disk.
    ///
    /// Call it before the first frame.
    func keepName()

    /// Completes and closes the destination; also after an error.
    func finish() throws(SinkError)
}

extension FrameWriter {
    package func sync(isThorough: Bool) {}

    package func keepName() {}

    package var hasFixedRate: Bool { false }

    /// Checks that a frame has the requested format and the opened size.
    package func check(_ frame: Frame, _ opened: FrameLayout) throws(SinkError) {
        guard frame.layout.format == opened.format, frame.layout.size == opened.size else {
            throw SinkError(
                name, "write", .failed,
                "a frame is \(frame.layout.size) \(frame.layout.format), it was opened for \(opened.size) \(opened.format)"
            )
        }
    }

    /// Checks the format of future frames.
    package func check(_ info: FrameInfo) throws(SinkError) {
        guard info.layout.format == request.format else {
            throw SinkError(
                name, "open", .invalidOptions, "frames are \(info.layout.format), it takes \(request.format)")
        }
    }
}
