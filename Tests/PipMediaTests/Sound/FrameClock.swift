#if Media
import PipCompose
import PipConcurrency
import PipFrames

/// A sink that records the timestamps of its frames.
final class FrameClock: FrameSink {
    let format = PixelFormat.nv12
    private let times: Monitor<[Timestamp]>

    /// - Parameter times: Takes the timestamps.
    init(_ times: Monitor<[Timestamp]>) { self.times = times }

    func open(_ info: FrameInfo, rate: FrameRate) throws {}

    func write(_ frame: Frame) throws { times.update { $0.append(frame.timestamp) } }

    func finish() throws {}
}
#endif
