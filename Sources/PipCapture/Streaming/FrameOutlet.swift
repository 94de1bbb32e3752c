internal import PipConcurrency
package import PipFrames
internal import Synchronization

/// The counters of a camera's frames since its start.
package struct CameraStatistics: Sendable, Equatable {
    /// The number of frames offered to the consumer.
    ///
    /// Frames that the consumer did not take count in ``dropped``, too.
    package var delivered = 0
    /// The numbers of frames that did not reach the consumer, by reason.
    package var dropped = DropCounts()
    /// The number of the latest frame, counted from 0 and with lost frames; nil before the first frame.
    package var lastSequence: UInt64?
    /// The time at which the latest frame was offered; nil before the first frame.
    package var lastDelivery: Timestamp?
    /// The frame rate over the last frames, 32 at most; 0 while no frames arrive.
    ///
    /// After the camera has stopped, the last rate remains.
    package var framesPerSecond = 0.0
}

/// The point where a camera delivers its frames: a mailbox for the newest frame, and the counters.
///
/// Delivering a frame does not allocate memory.
///
/// Thread: any.
final class FrameOutlet: Sendable {
    private struct State {
        var statistics = CameraStatistics()
        var meter = RateMeter()
        var bursts = BurstGate()
        /// The number of the present delivery period.
        ///
        /// A period ends when the camera is stopped, switched off, reopened or replaced, and when the machine was
        /// suspended. Frames of earlier periods are dropped.
        var period = 0
        var endOfPeriod = DropReason.late
        var listener: Listener?
        /// The ticket of the camera whose frames are delivered: the camera admitted last.
        var admitted = 0
        var lastTicket = 0
        var subscribers: [CountedQueue<CapturedFrame>] = []
        /// The subscribers that take undecoded video.
        var videoSubscribers: [CountedQueue<CapturedFrame>] = []
        var torch: TorchWatch?
    }

    /// A box for a function: passing a reference to the box does not allocate memory, as passing a function may.
    private final class Listener: Sendable {
        let onFrame: @Sendable () -> Void
        init(_ onFrame: @escaping @Sendable () -> Void) { self.onFrame = onFrame }
    }

    let frames = Mailbox<Frame>()
    private let state = Mutex(State())
    private let paceInNanoseconds = Atomic<Int64>(0)
    private let limitInNanoseconds = Atomic<Int64>(0)
    private let turn = Atomic<Int>(0)
    private let pause = Atomic<Bool>(false)
    private let onEvent: @Sendable (CameraEvent) -> Void

    init(onEvent: @escaping @Sendable (CameraEvent) -> Void) { self.onEvent = onEvent }

    /// The number of the present period, which ``deliver(_:period:now:)`` receives with each frame.
    var period: Int { state.withLock { $0.period } }

    /// The minimum interval between frames that pressure relief has set; zero lets all frames pass.
    var pace: Duration {
        get { .nanoseconds(paceInNanoseconds.load(ordering: .relaxed)) }
        set { paceInNanoseconds.store(max(0, newValue.nanoseconds), ordering: .relaxed) }
    }

    /// The minimum interval between frames from ``CameraWish/rateLimit``; zero lets all frames pass.
    var limit: Duration {
        get { .nanoseconds(limitInNanoseconds.load(ordering: .relaxed)) }
        set { limitInNanoseconds.store(max(0, newValue.nanoseconds), ordering: .relaxed) }
    }

    /// The effective minimum interval between frames, from ``pace`` and ``limit``; zero lets all frames pass.
    var interval: Duration { max(pace, limit) }

    /// The automatic torch that measures delivered frames; nil without an automatic torch.
    var torch: TorchWatch? {
        get { state.withLock { $0.torch } }
        set { state.withLock { $0.torch = newValue } }
    }

    /// True to drop frames although the camera streams.
    var isPaused: Bool {
        get { pause.load(ordering: .relaxed) }
        set { pause.store(newValue, ordering: .relaxed) }
    }

    /// The transform that turns the next delivered frames upright.
    var orientation: Orientation {
        get { Orientation.allCases[turn.load(ordering: .relaxed)] }
        set { turn.store(newValue.quarterTurns + (newValue.isMirrored ? 4 : 0), ordering: .relaxed) }
    }

    func setOnFrame(_ onFrame: @escaping @Sendable () -> Void) {
        let listener = Listener(onFrame)
        state.withLock { $0.listener = listener }
    }

    /// The queues of recordings, which also receive frames that the consumer does not get.
    var subscribers: [CountedQueue<CapturedFrame>] { state.withLock { $0.subscribers } }

    /// The queues that take undecoded video.
    var videoSubscribers: [CountedQueue<CapturedFrame>] { state.withLock { $0.videoSubscribers } }

    /// The queues that take decoded pictures of a video stream.
    var pictureSubscribers: [CountedQueue<CapturedFrame>] {
        state.withLock { state in
            state.subscribers.filter { queue in !state.videoSubscribers.contains { $0 === queue } }
        }
    }

    func subscribe(_ queue: CountedQueue<CapturedFrame>, takesVideo: Bool = false) {
        state.withLock { state in
            state.subscribers.append(queue)
            if takesVideo { state.videoSubscribers.append(queue) }
        }
    }

    func unsubscribe(_ queue: CountedQueue<CapturedFrame>) {
        state.withLock { state in
            state.subscribers.removeAll { $0 === queue }
            state.videoSubscribers.removeAll { $0 === queue }
        }
    }

    /// Makes a ticket for the next camera of the slot.
    ///
    /// The tickets begin at 1. A camera without a slot has ticket 0, and needs no call of this function.
    func makeTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Admits the frames of one camera, and of no other, from now on.
    ///
    /// Frames of the previous camera that are still being decoded are dropped as late. The consumer may still take the
    /// previous camera's newest frame.
    func admit(_ ticket: Int) {
        state.withLock { state in
            guard state.admitted != ticket else { return }
            state.admitted = ticket
            state.period += 1
            state.endOfPeriod = .late
        }
    }

    /// Counts a filled buffer, before it is checked.
    ///
    /// - Parameters:
    ///   - lost: The number of frames lost before this frame.
    ///   - ticket: The camera's ticket.
    /// - Returns: The frame's number, counted from 0 and with lost frames; nil when its camera is not admitted.
    func count(lost: Int, by ticket: Int) -> UInt64? {
        state.withLock { state in
            guard ticket == state.admitted else { return nil }
            let sequence = state.statistics.lastSequence.map { $0 + 1 + UInt64(lost) } ?? UInt64(lost)
            state.statistics.lastSequence = sequence
            state.statistics.dropped[.sequenceGap] += lost
            return sequence
        }
    }

    /// Offers a frame to the consumer; an earlier frame that the consumer has not taken is dropped as late.
    ///
    /// A frame of an earlier period, and a frame during a pause, is dropped instead.
    func deliver(_ frame: Frame, period: Int, now: Timestamp) {
        let (listener, torch) = state.withLock { state -> (Listener?, TorchWatch?) in
            guard period == state.period else {
                state.statistics.dropped[state.endOfPeriod] += 1
                return (nil, nil)
            }
            guard !isPaused else {
                state.statistics.dropped[.disabled] += 1
                return (nil, nil)
            }
            state.statistics.delivered += 1
            state.statistics.lastDelivery = now
            state.meter.tick(now)
            if frames.put(frame) { state.statistics.dropped[.late] += 1 }
            return (state.listener, state.torch)
        }
        listener?.onFrame()
        torch?.look(at: frame, now: now)
    }

    /// Counts a dropped frame, and reports the first unusable frame of a burst.
    func drop(_ reason: DropReason, at now: Timestamp) {
        let isNews = state.withLock { state in
            state.statistics.dropped[reason] += 1
            switch reason {
            case .corrupted, .short, .discontinuity: return state.bursts.opens(at: now)
            case .late, .sequenceGap, .decimated, .disabled: return false
            }
        }
        if isNews { onEvent(.badFrames(reason)) }
    }

    /// Removes the frame from the mailbox, and ends the period, so that frames still being decoded are dropped.
    ///
    /// The call has no effect for a camera that is not admitted.
    func endPeriod(_ reason: DropReason, by ticket: Int, at now: Timestamp) {
        state.withLock { state in
            guard ticket == state.admitted else { return }
            state.period += 1
            state.endOfPeriod = reason
            // The rate of a stopped camera is kept for the final report.
            if !state.meter.isEmpty {
                state.statistics.framesPerSecond = reason == .disabled ? 0 : state.meter.rate(now)
            }
            state.meter = RateMeter()
            if frames.take() != nil { state.statistics.dropped[reason] += 1 }
        }
    }

    func statistics(now: Timestamp) -> CameraStatistics {
        state.withLock { state in
            var statistics = state.statistics
            if !state.meter.isEmpty { statistics.framesPerSecond = state.meter.rate(now) }
            return statistics
        }
    }
}

/// Measures the rate of events from the times of the latest 32 events.
struct RateMeter {
    private var moments = InlineArray<32, Timestamp>(repeating: .zero)
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func tick(_ now: Timestamp) {
        // The measurement restarts after a pause, which is not a slow rate.
        if count > 0, moments[(count - 1) % moments.count].duration(to: now) > .seconds(1) { count = 0 }
        moments[count % moments.count] = now
        count += 1
    }

    /// The rate in events a second.
    ///
    /// 0 for fewer than two events, and when the latest event is at least a second and five periods ago.
    func rate(_ now: Timestamp) -> Double {
        let known = min(count, moments.count)
        guard known >= 2 else { return 0 }
        let first = moments[(count - known) % moments.count]
        let last = moments[(count - 1) % moments.count]
        let period = first.duration(to: last) / (known - 1)
        guard period > .zero, last.duration(to: now) < max(.seconds(1), period * 5) else { return 0 }
        return 1 / period.inSeconds
    }
}

/// Recognizes the first event of a burst: an event after a second without events.
struct BurstGate {
    private static let quiet = Duration.seconds(1)
    private var last: Timestamp?

    mutating func opens(at now: Timestamp) -> Bool {
        defer { last = now }
        return last.map { $0.duration(to: now) >= Self.quiet } ?? true
    }
}
