/// A sink node that knows how to open what it stands for.
protocol OpenableSink: SinkSpecification {
    /// What it takes of the renderer.
    ///
    /// - Throws: ``SinkError`` when its name or its options make no sense.
    func request() throws(SinkError) -> SinkRequest

    /// Creates what it writes to.
    func open(_ context: SinkContext) throws(SinkError) -> any FrameReceiver
}

/// What sinks need to open.
struct SinkContext {
    var info: FrameInfo
    var rate: FrameRate
    var capacity: Int
    var policy: QueuePolicy
    var onError: @Sendable (SinkError) -> Void
}

/// Takes frames on the render thread.
protocol FrameReceiver: Sendable {
    /// Takes a frame, or drops and counts it; one that may not be dropped waits until a deadline for room.
    ///
    /// - Returns: False when there was none.
    func submit(_ frame: Frame, until deadline: Timestamp) -> Bool
    var counts: SinkCounts { get }
    func finish(by deadline: Timestamp) async
}

/// What became of the frames that a sink was given.
struct SinkCounts {
    var written: Int
    var drops: DropCounts
    var error: SinkError?
}

extension SinkRunner: FrameReceiver {
    func submit(_ frame: Frame, until deadline: Timestamp) -> Bool { submit(frame, until: .some(deadline)) }

    var counts: SinkCounts {
        let statistics = statistics
        return SinkCounts(written: statistics.written, drops: statistics.drops, error: statistics.error)
    }

    func finish(by deadline: Timestamp) async { _ = await (finish(by: deadline) as Bool) }
}

/// A sink that is written frame by frame.
protocol WriterSink: OpenableSink {
    func makeWriter() throws(SinkError) -> sending any FrameWriter
}

extension WriterSink {
    func request() throws(SinkError) -> SinkRequest {
        let format = try makeWriter().format
        return SinkRequest(format: format.pixelFormat, size: format.size, colorimetry: format.colorimetry)
    }

    func open(_ context: SinkContext) throws(SinkError) -> any FrameReceiver {
        try SinkRunner(
            try makeWriter(), info: context.info, rate: context.rate, capacity: context.capacity,
            policy: context.policy, onError: context.onError)
    }
}

/// A Y4M stream, 4:2:0.
public struct Y4MFile: WriterSink {
    public let label: String
    private let destination: OutputDestination

    /// - Parameter path: A file, a named pipe, or `-` for the standard output.
    public init(_ path: String) {
        destination = path == "-" ? .standardOutput : .path(path)
        label = path
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try Y4MWriter(destination) }
}

/// A file of bare frames.
public struct RawFile: WriterSink {
    public let label: String
    private let destination: OutputDestination
    private let format: PixelFormat

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard output.
    ///   - format: `nv12`, `i420` or `rgba`.
    public init(_ path: String, format: PixelFormat) {
        destination = path == "-" ? .standardOutput : .path(path)
        label = path
        self.format = format
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter {
        RawWriter(destination, format: SinkFormat(format))
    }
}

/// One PNG file a frame.
public struct PNGFiles: WriterSink {
    public let label: String

    /// - Parameter pattern: A path with a field for the frame's number: `frames/%05d.png`.
    public init(_ pattern: String) { label = pattern }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try PNGWriter(path: label) }
}

/// One JPEG file a frame.
public struct JPEGFiles: WriterSink {
    public let label: String
    private let quality: Int

    /// - Parameters:
    ///   - pattern: A path with a field for the frame's number: `frames/%05d.jpg`.
    ///   - quality: From 1 (small) to 100 (good).
    public init(_ pattern: String, quality: Int = 90) {
        label = pattern
        self.quality = quality
    }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { try JPEGWriter(path: label, quality: quality) }
}

/// Draws and reads back, and writes nothing: for measuring.
public struct NullSink: WriterSink {
    public let label = "null:"
    private let format: PixelFormat

    public init(_ format: PixelFormat = .i420) { self.format = format }

    func makeWriter() throws(SinkError) -> sending any FrameWriter { NullWriter(format: SinkFormat(format)) }
}

/// Frames for the app: `for await frame in tap.frames { … }`.
public struct FrameTap: OpenableSink {
    public let label: String
    /// What was composed, as it comes; ends with the session.
    public let frames: FrameStream
    private let format: PixelFormat
    private let size: PixelSize?

    /// `format`.
    ///
    /// `rgba`, `nv12` or `i420`. `size`: Nil takes the size of what is drawn. `buffering`: Which frames wait while
    /// the app is busy.
    public init(
        _ format: PixelFormat = .rgba, size: PixelSize? = nil, buffering: FrameStream.Buffering = .newest(1),
        name: String = "frames"
    ) {
        label = name
        self.format = format
        self.size = size
        frames = FrameStream(buffering)
    }

    func request() throws(SinkError) -> SinkRequest { SinkRequest(format: format, size: size) }

    func open(_ context: SinkContext) throws(SinkError) -> any FrameReceiver {
        TapReceiver(name: label, stream: frames)
    }
}

/// Counts what goes into a tap.
final class TapReceiver: FrameReceiver {
    private let stream: FrameStream
    private let written = Monitor(0)

    init(name: String, stream: FrameStream) { self.stream = stream }

    func submit(_ frame: Frame, until deadline: Timestamp) -> Bool {
        if stream.offer(frame) { written.update { $0 += 1 } }
        return true
    }

    var counts: SinkCounts {
        let drops = stream.drops
        return SinkCounts(written: written.read { $0 } - drops.total, drops: drops)
    }

    func finish(by deadline: Timestamp) async { stream.finish() }
}
