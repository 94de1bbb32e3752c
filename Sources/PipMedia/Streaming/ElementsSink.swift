#if Media
internal import CGStreamer
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import PipSources

/// An output to GStreamer elements, for experts.
///
/// Use this sink where no other sink does the task.
///
/// ```swift
/// picture --> ElementsSink("videoconvert ! autovideosink")
/// ```
///
/// The elements get raw frames, whose times count from the first frame. An element that displays frames has 50 ms for
/// each frame.
///
/// A live session drops and counts frames that come too fast for the elements; a session that is not live waits for the
/// elements. The output ends with an error when an element fails, when the elements end by themselves, or when they
/// accept nothing for five seconds.
public struct ElementsSink: Sink {
    private let elements: SourceElements
    private let sink: CustomSink

    /// Creates an output to elements.
    ///
    /// - Parameters:
    ///   - elements: Elements in the notation of `gst-launch-1.0`, the last of which is a sink.
    ///   - format: The pixel format of the frames: `nv12`, `i420`, `gray` or `rgba`.
    public init(_ elements: String, format: PixelFormat = .i420) {
        let elements = SourceElements(elements)
        self.elements = elements
        sink = CustomSink("gst:\(elements.shown)") { ElementsWriter(elements, format) }
    }

    public var label: String { sink.label }

    public var destination: SinkDestination? { sink.destination }

    public var opening: SinkOpening { sink.opening }
}

/// Writes an output's frames into a pipeline of the given elements.
///
/// Thread: the output's thread only.
private final class ElementsWriter: FrameSink {
    let format: PixelFormat
    private let elements: SourceElements
    private var running: Running?
    private var start: Timestamp?
    private var size = PixelSize(0, 0)
    private var interval = Duration.zero
    private let clock = MonotonicClock()

    private final class Running {
        let pipeline: Pipeline
        let inlet: Inlet

        init(_ elements: SourceElements) throws(MediaError) {
            pipeline = try Pipeline("appsrc name=pip-in ! \(elements.text)")
            for (property, value) in [("is-live", "true"), ("min-latency", "50000000")] {
                pipeline.set(property, of: "pip-in", to: value)
            }
            inlet = Inlet("pip-in", of: pipeline)
        }

        deinit { pipeline.stop() }
    }

    /// The largest number of frames that wait for the elements.
    private static let capacity = 4
    private static let timeout = Duration.seconds(5)

    init(_ elements: SourceElements, _ format: PixelFormat) {
        self.elements = elements
        self.format = format
    }

    func open(_ info: FrameInfo, rate: FrameRate) throws {
        do {
            let running = try Running(elements)
            size = info.layout.size
            interval = rate.interval
            running.inlet.use(PacketFormat(raw: info, size: size, rate: rate))
            self.running = running
        } catch {
            throw failure(error)
        }
    }

    func write(_ frame: Frame) throws {
        guard let running else { return }
        if start == nil { do { try running.pipeline.play(base: clock.now) } catch { throw failure(error) } }
        let start = start ?? frame.timestamp
        self.start = start
        let deadline = clock.now.advanced(by: Self.timeout)
        while running.inlet.level >= Self.capacity {
            try check(running.pipeline)
            guard clock.now < deadline else {
                throw ElementsFailure(reason: "the elements accepted nothing for \(Self.timeout.components.seconds) s")
            }
            clock.block(for: .milliseconds(5))
        }
        try check(running.pipeline)
        // Copy the frame, since elements may keep any number of frames.
        guard let buffer = unsafe mediaBuffer(frame.copied(), size: size) else { return }
        unsafe buffer.pointee.pts = GstClockTime(max(0, start.duration(to: frame.timestamp).nanoseconds))
        unsafe buffer.pointee.duration = GstClockTime(interval.nanoseconds)
        guard unsafe running.inlet.push(buffer) else {
            try check(running.pipeline)
            throw ElementsFailure(reason: "the elements accept no more frames")
        }
    }

    func finish() throws {
        guard let running else { return }
        self.running = nil
        guard start != nil else { return }
        running.inlet.end()
        let deadline = clock.now.advanced(by: Self.timeout)
        while clock.now < deadline {
            switch running.pipeline.nextMessage(within: .milliseconds(50)) {
            case .ended: return
            case .failed(let error): throw failure(error)
            case .warning, nil: break
            }
        }
        throw ElementsFailure(reason: "the elements have not ended within \(Self.timeout.components.seconds) s")
    }

    private func check(_ pipeline: Pipeline) throws {
        while let message = pipeline.nextMessage() {
            switch message {
            case .failed(let error): throw failure(error)
            case .ended: throw ElementsFailure(reason: "the elements have ended by themselves")
            case .warning: break
            }
        }
    }

    private func failure(_ error: any Error) -> ElementsFailure {
        ElementsFailure(reason: elements.masked((error as? MediaError)?.reason ?? "\(error)"))
    }
}

/// A failure of the elements, whose text hides the secrets in their properties.
private struct ElementsFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
#endif
