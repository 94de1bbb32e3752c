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

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        if stream.offer(frame) { written.update { $0 += 1 } }
        return true
    }

    var counts: SinkCounts {
        let drops = stream.drops
        return SinkCounts(written: written.read { $0 } - drops.total, drops: drops)
    }

    func finish(by deadline: Timestamp) async { stream.finish() }
}

extension Graph {
    /// Ends the streams of all taps, opened or not, so that nobody waits for frames that cannot come.
    func endTaps() {
        for id in sinks {
            guard case .sink(let sink, _)? = self[id] else { continue }
            (sink as? FrameTap)?.frames.finish()
            (sink as? any MeasuringSink)?.endStream()
        }
    }
}
