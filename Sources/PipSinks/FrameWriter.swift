package import PipConcurrency
package import PipFrames

/// What a sink wants of the renderer.
package struct SinkFormat: Hashable, Sendable {
    package var pixelFormat: PixelFormat
    /// Nil takes what was composed.
    package var colorimetry: Colorimetry?
    /// Nil takes the size that was composed.
    package var size: PixelSize?

    package init(_ pixelFormat: PixelFormat, colorimetry: Colorimetry? = nil, size: PixelSize? = nil) {
        self.pixelFormat = pixelFormat
        self.colorimetry = colorimetry
        self.size = size
    }
}

/// Something that frames are written to, one after the other: opened once, then written, then finished.
///
/// Belongs to one thread at a time. After an error it is only finished, unless each frame has a file of its own: then
/// the next may be written.
package protocol FrameWriter: AnyObject {
    /// The file's path, or the sink's name, for messages and statistics.
    var name: String { get }

    /// What it wants of the renderer; constant.
    var format: SinkFormat { get }

    /// Whether what is written is played at the rate that it was opened with, so that a frame left out would make it
    /// shorter; constant.
    var hasFixedRate: Bool { get }

    /// Ends a write that waits for a pipe's reader; that write throws. Raised by another thread.
    var interruption: Interruption { get }

    /// Creates what is written to.
    ///
    /// - Parameters:
    ///   - info: What all frames have in common: layout, colours, orientation.
    ///   - rate: Frames a second, for files that say it.
    /// - Throws: ``SinkError`` when that is not possible.
    func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError)

    /// Writes a frame; blocks while the disk or the pipe takes it.
    func write(_ frame: Frame) throws(SinkError)

    /// Sends what was written on its way to the disk; with `isThorough`, waits until it has arrived.
    ///
    /// - Throws: ``SinkError`` when the disk did not take something that was written before.
    func sync(isThorough: Bool) throws(SinkError)

    /// Completes and closes what was written; also after an error.
    func finish() throws(SinkError)
}

extension FrameWriter {
    package func sync(isThorough: Bool) {}

    package var hasFixedRate: Bool { false }

    /// Checks that a frame is of the format that was asked for and of the size that was opened.
    func check(_ frame: Frame, _ opened: FrameLayout) throws(SinkError) {
        guard frame.layout.format == opened.format, frame.layout.size == opened.size else {
            throw SinkError(
                name, "write", .failed,
                "a frame is \(frame.layout.size) \(frame.layout.format), it was opened for \(opened.size) \(opened.format)"
            )
        }
    }

    /// Checks the format of frames to come.
    func check(_ info: FrameInfo) throws(SinkError) {
        guard info.layout.format == format.pixelFormat else {
            throw SinkError(
                name, "open", .invalidOptions, "frames are \(info.layout.format), it takes \(format.pixelFormat)")
        }
    }
}
