#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// An output that is a recording: frames go to an encoder, its packets to files.
final class MovieRecorder: FrameReceiver {
    private struct Parts {
        var start: Timestamp?
        /// True when the next frame is to begin a file.
        var isAsked = false
    }

    private let frames: EncodedFrames
    private let sounds: [SoundTap]
    private let loop: MovieLoop
    private let interruption: Interruption
    private let limit: SegmentLimit?
    private let parts = Mutex(Parts())
    private let clock: MonotonicClock
    private let interval: Duration
    /// The end of the last frame.
    private let end = Mutex<Timestamp?>(nil)

    init(
        _ encoder: VideoEncoder, _ sounds: [(tap: SoundTap, feed: SoundFeed)], _ plan: MovieLoop.Plan,
        _ limit: SegmentLimit?, _ context: SinkContext
    ) {
        self.sounds = sounds.map(\.tap)
        interval = context.rate.interval
        self.limit = limit
        clock = context.clock
        interruption = Interruption()
        // Four seconds, so that a slow disk is no loss.
        let capacity = max(16, Int(context.rate.framesPerSecond.rounded()) * 4)
        frames = EncodedFrames(encoder, capacity: capacity, waits: context.policy == .block)
        let loop = MovieLoop(
            plan, frames.feed, sounds: sounds.map(\.feed), interruption, onEvent: context.onEvent,
            onError: context.onError)
        self.loop = loop
        _ = WorkerThread(name: "pip-movie") { loop.run() }
    }

    deinit {
        interruption.raise()
        for sound in sounds { sound.end(at: .zero) }
    }

    // MARK: The render thread

    func expect(_ frame: Frame) { frames.expect(frame, beginsPart: beginsPart(frame)) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        let begins = beginsPart(frame)
        if !sounds.isEmpty { reach(frame) }
        switch frames.submit(frame, beginsPart: begins, until: deadline) {
        case .taken: if begins { parts.withLock { $0 = Parts(start: frame.timestamp) } }
        case .dropped: loop.state.update { $0.statistics.drops[.late] += 1 }
        case .failed: loop.state.update { $0.statistics.drops[.disabled] += 1 }
        case .timedOut: return false
        }
        return true
    }

    private func reach(_ frame: Frame) {
        let last = frame.timestamp.advanced(by: interval)
        end.withLock { $0 = last }
        for sound in sounds { sound.reach(from: frame.timestamp, to: last) }
    }

    /// True for a frame with which a file begins.
    private func beginsPart(_ frame: Frame) -> Bool {
        parts.withLock { parts in
            guard let start = parts.start, !parts.isAsked else { return true }
            switch limit {
            case .duration(let duration): return start.duration(to: frame.timestamp) >= duration
            case .bytes(let bytes): return loop.state.read { $0.bytes } >= bytes
            case nil: return false
            }
        }
    }

    // MARK: Any thread

    func split() -> Bool {
        parts.withLock { $0.isAsked = true }
        return true
    }

    var statistics: OutputStatistics {
        var statistics = loop.state.read { $0.statistics }
        statistics.encoder = frames.encoderName
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool {
        // The caller's deadline may be of a virtual clock; encoders and disks live in real time.
        let limit = clock.realTime(of: deadline)
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-movie-close") { [self] in
                loop.deadline.update { $0 = min($0, limit) }
                let last = end.withLock { $0 } ?? .zero
                for sound in sounds { sound.end(at: last) }
                frames.finish(by: limit)
                var isDone = loop.state.wait(until: limit) { $0.isDone ? true : nil } ?? false
                if !isDone {
                    interruption.raise()
                    let last = MonotonicClock().now.advanced(by: .milliseconds(200))
                    isDone = loop.state.wait(until: last) { $0.isDone ? true : nil } ?? false
                }
                continuation.resume(returning: isDone)
            }
        }
    }
}
#endif
