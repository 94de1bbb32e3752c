#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// An output that sends to receivers which come and go, such as WebRTC peers or RTSP players.
///
/// While a receiver is connected, the shared encoder encodes the output's frames, and all receivers get the packets.
final class AudienceSender: FrameReceiver {
    private struct State {
        var statistics: OutputStatistics
        var isDone = false
    }

    /// The time between two checks of the time limits of receivers.
    private static let checkInterval = Duration.seconds(1)

    private let frames: EncodedFrames
    private let sound: SoundTap?
    private let interval: Duration
    private let audience: any PacketAudience
    private let clock: MonotonicClock
    /// The sequence number of the latest frame that was announced to the encoder; nil before the first.
    private let expected = Mutex<UInt64?>(nil)
    private let state: Monitor<State>
    /// Called when the output finishes, before the audience is closed.
    private let onEnd: @Sendable () -> Void

    /// Starts the threads that send packets.
    ///
    /// - Parameters:
    ///   - encoder: The encoder, which other outputs may share.
    ///   - sound: The sound's tap and packets. Nil for an output without sound.
    ///   - audience: The receivers.
    ///   - context: The output's clock, rate and functions.
    ///   - label: The output's name in statistics.
    ///   - onEnd: Called when the output finishes, before the audience is closed.
    init(
        _ encoder: VideoEncoder, sound: (tap: SoundTap, feed: TrackFeed)?, to audience: any PacketAudience,
        context: SinkContext, label: String,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.audience = audience
        self.sound = sound?.tap
        interval = context.rate.interval
        self.onEnd = onEnd
        clock = context.clock
        // The queue is short, because old packets are of no use to viewers.
        let capacity = max(8, Int(context.rate.framesPerSecond.rounded()) * 2)
        frames = EncodedFrames(encoder, capacity: capacity, waits: false, backlog: 2)
        let feed = frames.feed
        let state = Monitor(State(statistics: OutputStatistics(name: label)))
        self.state = state
        _ = WorkerThread(name: audience.threadName) {
            let clock = MonotonicClock()
            var nextCheck = clock.now.advanced(by: Self.checkInterval)
            while !feed.isFinished {
                let delivery = feed.next(until: nextCheck)
                let isTaken = delivery.map { audience.push($0.packet) }
                let lost = feed.takeLost() + (isTaken == false ? 1 : 0)
                if isTaken == true || lost > 0 {
                    state.update { state in
                        if isTaken == true { state.statistics.written += 1 }
                        state.statistics.drops[.late] += lost
                    }
                }
                guard clock.now >= nextCheck else { continue }
                audience.check()
                nextCheck = clock.now.advanced(by: Self.checkInterval)
            }
            state.update { $0.isDone = true }
        }
        guard let feed = sound?.feed else { return }
        _ = WorkerThread(name: "\(audience.threadName)-snd") {
            while let packet = feed.waitForNext() { audience.push(sound: packet) }
        }
    }

    deinit { sound?.end(at: .zero) }

    // MARK: The render thread

    func expect(_ frame: Frame) {
        guard audience.isConnected else { return }
        expected.withLock { $0 = frame.info.sequence }
        frames.expect(frame, beginsPart: audience.grantKey(for: frame))
    }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        sound?.reach(from: frame.timestamp, to: frame.timestamp.advanced(by: interval))
        // A frame that was not announced has no receiver, and is not encoded.
        guard expected.withLock({ $0 }) == frame.info.sequence else { return true }
        switch frames.submit(frame, beginsPart: false, until: deadline) {
        case .taken: break
        case .dropped, .timedOut: state.update { $0.statistics.drops[.late] += 1 }
        case .failed: state.update { $0.statistics.drops[.disabled] += 1 }
        }
        return true
    }

    // MARK: Any thread

    var statistics: OutputStatistics {
        var statistics = state.read { $0.statistics }
        statistics.encoder = frames.encoderName
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool {
        let limit = clock.realTime(of: deadline)
        return await onThread("\(audience.threadName)-end") { [self] in
            sound?.end(at: .zero)
            frames.finish(by: min(limit, MonotonicClock().now.advanced(by: .seconds(1))))
            let isDone = state.wait(until: limit) { $0.isDone ? true : nil } ?? false
            onEnd()
            audience.close()
            return isDone
        }
    }
}
#endif
