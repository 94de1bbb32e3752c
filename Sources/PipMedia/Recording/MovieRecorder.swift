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

    private let encoder: VideoEncoder
    private let feed: PacketFeed
    private let loop: MovieLoop
    private let interruption: Interruption
    private let limit: SegmentLimit?
    private let waits: Bool
    private let parts = Mutex(Parts())
    private let clock: MonotonicClock

    init(
        _ encoder: VideoEncoder, _ plan: MovieLoop.Plan, _ limit: SegmentLimit?, _ context: SinkContext
    ) {
        self.encoder = encoder
        self.limit = limit
        clock = context.clock
        waits = context.policy == .block
        interruption = Interruption()
        // Four seconds, so that a slow disk is no loss.
        let capacity = max(16, Int(context.rate.framesPerSecond.rounded()) * 4)
        let feed = PacketFeed(capacity: capacity, waits: waits)
        self.feed = feed
        let loop = MovieLoop(plan, feed, interruption, onEvent: context.onEvent, onError: context.onError)
        self.loop = loop
        encoder.add(feed)
        _ = WorkerThread(name: "pip-movie") { loop.run() }
    }

    deinit { interruption.raise() }

    // MARK: The render thread

    func expect(_ frame: Frame) { encoder.expect(frame, for: feed, beginsPart: beginsPart(frame)) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        let begins = beginsPart(frame)
        while true {
            switch encoder.offer(frame, for: feed, waits: waits) {
            case .taken:
                if begins { parts.withLock { $0 = Parts(start: frame.timestamp) } }
                return true
            case .dropped:
                loop.state.update { $0.statistics.drops[.late] += 1 }
                return true
            case .failed:
                loop.state.update { $0.statistics.drops[.disabled] += 1 }
                return true
            case .full:
                guard MonotonicClock().now < deadline else { return false }
                let soon = MonotonicClock().now.advanced(by: .milliseconds(1))
                _ = interruption.wait(for: -1, events: 0, until: soon)
                encoder.expect(frame, for: feed, beginsPart: begins)
            }
        }
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

    var statistics: OutputStatistics { loop.state.read { $0.statistics } }

    func finish(by deadline: Timestamp) async -> Bool {
        // The caller's deadline may be of a virtual clock; encoders and disks live in real time.
        let limit = realDeadline(deadline)
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-movie-close") { [self] in
                loop.deadline.update { $0 = min($0, limit) }
                encoder.remove(feed, by: limit)
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

    private func realDeadline(_ deadline: Timestamp) -> Timestamp {
        guard clock.virtual != nil, deadline != .distantFuture else { return deadline }
        return MonotonicClock().now.advanced(by: clock.now.duration(to: deadline))
    }
}
#endif
