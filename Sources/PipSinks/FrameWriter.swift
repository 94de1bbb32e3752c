package import PipConcurrency
package import PipFrames

/// Something that frames are written to, one after the other: opened once, then written, then finished.
///
/// Belongs to one thread at a time. After an error it is only finished, unless each frame has a file of its own: then
/// the next may be written.
package protocol FrameWriter: AnyObject {
    /// The file's path, or the sink's name, for messages and statistics.
    var name: String { get }

    /// The requested format; constant.
    var request: SinkRequest { get }

    /// True for files without timestamps, which a dropped frame would make shorter; constant.
    var hasFixedRate: Bool { get }

    /// Ends a write that waits for a pipe's reader; that write throws. Raised by another thread.
    var interruption: Interruption { get }

    /// Creates the file, or opens the pipe.
    ///
    /// - Parameters:
    ///   - info: The properties that all frames share: layout, colour encoding, orientation.
    ///   - rate: The output's frame rate, for formats that store it.
    /// - Throws: ``SinkError`` when it cannot be opened.
    func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError)

    /// Writes a frame; blocks while the disk or the pipe takes it.
    func write(_ frame: Frame) throws(SinkError)

    /// Sends what was written on its way to the disk; with `isThorough`, waits until it has arrived.
    ///
    /// - Throws: ``SinkError`` when the disk did not take something that was written before.
    func sync(isThorough: Bool) throws(SinkError)

    /// Waits until the disk knows the file's name; before the first frame.
    func keepName()

    /// Completes and closes what was written; also after an error.
    func finish() throws(SinkError)
}

extension FrameWriter {
    package func sync(isThorough: Bool) {}

    package func keepName() {}

    package var hasFixedRate: Bool { false }

    /// Checks that a frame is of the format that was asked for and of the size that was opened.
    package func check(_ frame: Frame, _ opened: FrameLayout) throws(SinkError) {
        guard frame.layout.format == opened.format, frame.layout.size == opened.size else {
            throw SinkError(
                name, "write", .failed,
                "a frame is \(frame.layout.size) \(frame.layout.format), it was opened for \(opened.size) \(opened.format)"
            )
        }
    }

    /// Checks the format of frames to come.
    package func check(_ info: FrameInfo) throws(SinkError) {
        guard info.layout.format == request.format else {
            throw SinkError(
                name, "open", .invalidOptions, "frames are \(info.layout.format), it takes \(request.format)")
        }
    }
}
