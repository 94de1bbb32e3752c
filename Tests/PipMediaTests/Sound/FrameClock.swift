#if Media
import PipCompose
import PipConcurrency
import PipFrames

@testable import PipMedia

/// A sink that records the timestamps of its frames.
///
/// Encoders and muxers work in real time. A session in virtual time would run ahead of them while other programs keep
/// the processor busy, and drop frames. The sink therefore blocks while a recording of the same frames is too far
/// behind, so that virtual time stands still.
final class FrameClock: FrameSink {
    /// The number of frames that the recording may be behind.
    ///
    /// Sound arrives later than its picture, so a recording is always some frames behind.
    private static let mostFramesBehind = 60
    /// The longest wait for the recording, in real time.
    private static let timeout = Duration.seconds(20)

    let format = PixelFormat.nv12
    private let times: Monitor<[Timestamp]>
    private let recording: Output?

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - times: Takes the timestamps.
    ///   - recording: The recording to wait for. Nil for a session in real time.
    init(_ times: Monitor<[Timestamp]>, with recording: Output? = nil) {
        (self.times, self.recording) = (times, recording)
    }

    func open(_ info: FrameInfo, rate: FrameRate) throws {}

    func write(_ frame: Frame) throws {
        let count = times.update { times in
            times.append(frame.timestamp)
            return times.count
        }
        guard let recording else { return }
        let clock = MonotonicClock()
        let limit = clock.now.advanced(by: Self.timeout)
        while recording.statistics.written < count - Self.mostFramesBehind, clock.now < limit {
            clock.block(for: .milliseconds(1))
        }
    }

    func finish() throws {}
}
#endif
