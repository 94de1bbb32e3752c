#if Media
internal import PipCompose
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// Passes the pictures of a time-lapse to a recorder, with the times at which the movie shows them.
///
/// Thread: as for the recorder.
final class TimeLapseRecorder: FrameReceiver {
    private struct State {
        /// The timestamp of the first picture; nil before it.
        var start: Timestamp?
        /// The number of the next picture in the movie.
        var next = 0
    }

    private let recorder: MovieRecorder
    private let rate: FrameRate
    private let state = Mutex(State())

    init(_ recorder: MovieRecorder, rate: FrameRate) { (self.recorder, self.rate) = (recorder, rate) }

    func expect(_ frame: Frame) { recorder.expect(placed(frame)) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        guard recorder.submit(placed(frame), repeats: 0, until: deadline) else { return false }
        // The recorder knows the picture's time already: the time of pictures that were left out before it follows it,
        // so that the movie keeps its speed.
        state.withLock { $0.next += 1 + repeats }
        return true
    }

    /// Returns the next picture at its time in the movie, counted from the first picture's timestamp.
    private func placed(_ frame: Frame) -> Frame {
        let (start, number) = state.withLock { state in
            let start = state.start ?? frame.timestamp
            state.start = start
            return (start, state.next)
        }
        var info = frame.info
        info.timestamp = start.advanced(by: rate.offset(ofFrame: number))
        return Frame(info: info, buffer: frame.buffer)
    }

    // MARK: Any thread

    var statistics: OutputStatistics { recorder.statistics }

    func split() -> Bool { recorder.split() }

    func finish(by deadline: Timestamp) async -> Bool { await recorder.finish(by: deadline) }
}
#endif
