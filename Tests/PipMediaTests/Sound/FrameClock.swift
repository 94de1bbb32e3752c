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
    /// The number of frames that a recording may be behind.
    ///
    /// Sound arrives later than its picture, so a recording is always some frames behind.
    static let mostFramesBehind = 60
    /// The longest wait for the recordings at a frame, in real time.
    private static let timeout = Duration.seconds(20)

    let format = PixelFormat.nv12
    private let times: Monitor<[Timestamp]>
    private let isBehind: @Sendable ([Timestamp]) -> Bool

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - times: Takes the timestamps.
    ///   - isBehind: Returns true while a recording is too far behind the frames of these times.
    init(_ times: Monitor<[Timestamp]>, isBehind: @escaping @Sendable ([Timestamp]) -> Bool = { _ in false }) {
        (self.times, self.isBehind) = (times, isBehind)
    }

    /// Creates a sink that waits for a recording of every frame.
    convenience init(_ times: Monitor<[Timestamp]>, with recording: Output?) {
        self.init(times) { times in
            recording.map { $0.statistics.written < times.count - Self.mostFramesBehind } ?? false
        }
    }

    func open(_ info: FrameInfo, rate: FrameRate) throws {}

    func write(_ frame: Frame) throws {
        let times = times.update { times in
            times.append(frame.timestamp)
            return times
        }
        let clock = MonotonicClock()
        let limit = clock.now.advanced(by: Self.timeout)
        while isBehind(times), clock.now < limit { clock.block(for: .milliseconds(1)) }
    }

    func finish() throws {}
}
#endif
