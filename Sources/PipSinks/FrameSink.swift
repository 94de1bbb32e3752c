package import PipConcurrency
public import PipFrames

/// A sink of an app's own: opened once, then written frame by frame, then finished.
///
/// ```swift
/// final class FrameCounter: FrameSink {
///     let format = PixelFormat.nv12
///     var count = 0
///     func open(_ info: FrameInfo, rate: FrameRate) throws {}
///     func write(_ frame: Frame) throws { count += 1 }
///     func finish() throws { print(count) }
/// }
/// let output = picture --> CustomSink("counter") { FrameCounter() }
/// ```
///
/// All calls come from one thread, which belongs to this sink: it may block, and frames that it is too slow for are
/// dropped and counted. An error ends the output and is reported with the sink's name; the session and its other
/// outputs go on.
public protocol FrameSink: AnyObject {
    /// The format in which it takes frames: `nv12`, `i420` or `rgba`; constant.
    var format: PixelFormat { get }

    /// Begins, before the first frame.
    ///
    /// - Parameters:
    ///   - info: The layout, colours and orientation that all frames have.
    ///   - rate: Frames a second.
    /// - Throws: An error that ends the output.
    func open(_ info: FrameInfo, rate: FrameRate) throws

    /// Takes a frame. Whoever keeps it keeps its memory from being used again; at most a few may be kept.
    func write(_ frame: Frame) throws

    /// Ends, after the last frame; also after ``open(_:rate:)`` or ``write(_:)`` has thrown.
    func finish() throws
}

/// Runs an app's sink as a writer.
package final class CustomWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption = Interruption()
    private let sink: any FrameSink

    package init(_ name: String, _ sink: any FrameSink) {
        self.name = name
        self.sink = sink
        request = SinkRequest(format: sink.format)
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try check(info)
        try call("open") { try sink.open(info, rate: rate) }
    }

    package func write(_ frame: Frame) throws(SinkError) {
        try call("write frame \(frame.info.sequence)") { try sink.write(frame) }
    }

    package func finish() throws(SinkError) { try call("finish") { try sink.finish() } }

    private func call(_ operation: @autoclosure () -> String, _ body: () throws -> Void) throws(SinkError) {
        do { try body() } catch let error as SinkError { throw error } catch {
            throw SinkError(name, operation(), .failed, "\(error)")
        }
    }
}
