package import PipConcurrency
public import PipFrames

/// A custom sink of an app: opened once, then written frame by frame, then finished.
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
/// Implement it to consume frames in the app's own code. Frames that arrive while the sink is busy are dropped and
/// counted. An error ends the output and is reported with the sink's name; the session and its other outputs continue.
///
/// Thread: one thread of the sink's own makes all calls, and may block.
public protocol FrameSink: AnyObject {
    /// The format of the frames: `nv12`, `i420` or `rgba`.
    ///
    /// It must be constant.
    var format: PixelFormat { get }

    /// Prepares for the first frame.
    ///
    /// - Parameters:
    ///   - info: The layout, colours and orientation that all frames have.
    ///   - rate: The rate of the frames.
    /// - Throws: An error that ends the output.
    func open(_ info: FrameInfo, rate: FrameRate) throws

    /// Consumes a frame.
    ///
    /// A kept frame occupies its memory, so keep only a few.
    func write(_ frame: Frame) throws

    /// Completes the output after the last frame, or after ``open(_:rate:)`` or ``write(_:)`` has thrown.
    func finish() throws
}

/// An adapter that writes to an app's sink.
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
