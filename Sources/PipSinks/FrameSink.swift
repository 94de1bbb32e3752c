package import PipConcurrency
public import PipFrames

/// A custom sink of an app, which consumes one frame after the other.
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
/// Implement this protocol to consume frames in the app's own code. While the sink is busy, frames wait in a short
/// queue. When the queue is full, a session that runs in real time drops and counts frames; any other session waits.
/// An error ends the output and is reported with the sink's name; the session and its other outputs continue. An error
/// of ``open(_:rate:)`` while the session starts ends the session, too.
///
/// Thread: the session calls ``open(_:rate:)`` on the thread that opens outputs, and the other functions on one thread
/// for this sink, which the calls may block.
public protocol FrameSink: AnyObject {
    /// The requested format of the frames: `nv12`, `i420`, `gray` or `rgba`.
    ///
    /// The format must be constant.
    var format: PixelFormat { get }

    /// Prepares the sink for the first frame; called at most once, before all other functions.
    ///
    /// - Parameters:
    ///   - info: The layout, colour encoding and orientation that all frames have.
    ///   - rate: The output's frame rate.
    /// - Throws: An error that ends the output, and the session if it is starting.
    func open(_ info: FrameInfo, rate: FrameRate) throws

    /// Consumes a frame.
    ///
    /// A frame that the sink keeps occupies memory of the session, so keep only a few frames.
    func write(_ frame: Frame) throws

    /// Completes the output after the last frame, or after ``write(_:)`` has thrown.
    func finish() throws
}

/// A writer that passes frames to an app's sink.
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
