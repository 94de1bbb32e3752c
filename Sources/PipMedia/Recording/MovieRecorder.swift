#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// An output that records: hands frames to an encoder, and packets to files.
final class MovieRecorder: FrameReceiver {
    private let frames: EncodedFrames
    private let tracks: [any TrackTap]
    private let loop: MovieLoop
    private let interruption: Interruption
    private let parts: RecordingParts
    private let clock: MonotonicClock
    private let interval: Duration
    /// The end of the last submitted frame; nil before the first, and for a recording of pictures alone.
    private let end = Mutex<Timestamp?>(nil)

    init(
        _ encoder: VideoEncoder, tracks: [MovieFile.Track], plan: MovieLoop.Plan, context: SinkContext
    ) {
        self.tracks = tracks.map(\.tap)
        interval = context.rate.interval
        parts = RecordingParts(plan.segments)
        clock = context.clock
        interruption = Interruption()
        // The queue holds four seconds of packets, so that a short delay of the disk causes no loss.
        let capacity = max(16, Int(context.rate.framesPerSecond.rounded()) * 4)
        // Encoders and disks work in real time. Virtual time stands still while the render thread waits for them.
        let waits = context.policy == .block || context.clock.virtual != nil
        frames = EncodedFrames(encoder, capacity: capacity, waits: waits)
        let loop = MovieLoop(
            plan, frames.feed, tracks: tracks.map(\.feed), until: interruption, onEvent: context.onEvent,
            onError: context.onError)
        self.loop = loop
        _ = WorkerThread(name: "pip-movie") { loop.run() }
    }

    deinit {
        interruption.raise()
        for track in tracks { track.end(at: .zero) }
    }

    // MARK: The render thread

    func expect(_ frame: Frame) { frames.expect(frame, beginsPart: beginsPart(frame)) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        let begins = beginsPart(frame)
        if !tracks.isEmpty { reach(frame) }
        switch frames.submit(frame, beginsPart: begins, until: clock.realTime(of: deadline)) {
        case .taken: if begins { parts.noteBeginning(at: frame.timestamp) }
        case .dropped: loop.state.update { $0.statistics.drops[.late] += 1 }
        case .failed: loop.state.update { $0.statistics.drops[.disabled] += 1 }
        case .timedOut: return false
        }
        return true
    }

    private func reach(_ frame: Frame) {
        let last = frame.timestamp.advanced(by: interval)
        end.withLock { $0 = last }
        for track in tracks { track.reach(from: frame.timestamp, to: last) }
    }

    /// True for a frame with which a new file begins.
    private func beginsPart(_ frame: Frame) -> Bool {
        parts.beginsPart(at: frame.timestamp) { loop.state.read { $0.bytes } }
    }

    // MARK: Any thread

    func mark(_ moment: Moment) -> Bool { loop.mark(moment) }

    func split() -> Bool {
        guard !loop.recordsClips else { return false }
        parts.requestSplit()
        return true
    }

    var statistics: OutputStatistics {
        var statistics = loop.state.read { $0.statistics }
        statistics.encoder = frames.encoderName
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool {
        // The caller's deadline may be in virtual time, but encoders and disks work in real time.
        let limit = clock.realTime(of: deadline)
        return await onThread("pip-movie-close") { [self] in
            loop.deadline.update { $0 = min($0, limit) }
            let last = end.withLock { $0 } ?? .zero
            for track in tracks { track.end(at: last) }
            frames.finish(by: limit)
            return loop.waitUntilDone(by: limit)
        }
    }
}
#endif
