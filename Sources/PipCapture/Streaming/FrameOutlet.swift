internal import PipConcurrency
package import PipFrames
internal import Synchronization

/// The counters of a camera's frames since its start.
package struct CameraStatistics: Sendable, Equatable {
    /// The frames offered to the consumer.
    ///
    /// Frames that it did not take count in ``dropped``, too.
    package var delivered = 0
    /// The frames that did not reach the consumer, by reason.
    package var dropped = DropCounts()
    /// The number of the latest frame, counted from 0 with the lost ones; nil before the first.
    package var lastSequence: UInt64?
    /// The time of the latest offer; nil before the first.
    package var lastDelivery: Timestamp?
    /// The rate over about the last second; 0 while no frames arrive.
    ///
    /// After a stop, the last rate remains.
    package var framesPerSecond = 0.0
}

/// The delivery end of a camera: a mailbox for the newest frame, and the counters.
///
/// Delivering does not allocate.
///
/// Thread: any.
final class FrameOutlet: Sendable {
    private struct State {
        var statistics = CameraStatistics()
        var meter = RateMeter()
        var bursts = BurstGate()
        /// The number of the present period.
        ///
        /// Frames of earlier periods are dropped.
        var period = 0
        var endOfPeriod = DropReason.late
        var listener: Listener?
        /// The ticket of the camera whose frames count: the one admitted last.
        var admitted = 0
        var lastTicket = 0
        var subscribers: [CountedQueue<CapturedFrame>] = []
        /// The subscribers that take undecoded video.
        var videoSubscribers: [CountedQueue<CapturedFrame>] = []
        var torch: TorchWatch?
    }

    /// A boxed function: passing the box does not allocate, as passing a function may.
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

    /// The present period, which producers return with their frames.
    var period: Int { state.withLock { $0.period } }

    /// The minimum interval between frames by relief; zero lets all pass.
    var pace: Duration {
        get { .nanoseconds(paceInNanoseconds.load(ordering: .relaxed)) }
        set { paceInNanoseconds.store(max(0, newValue.nanoseconds), ordering: .relaxed) }
    }

    /// The minimum interval between frames by the owner's limit; zero lets all pass.
    var limit: Duration {
        get { .nanoseconds(limitInNanoseconds.load(ordering: .relaxed)) }
        set { limitInNanoseconds.store(max(0, newValue.nanoseconds), ordering: .relaxed) }
    }

    /// The effective minimum interval between frames; zero lets all pass.
    var interval: Duration { max(pace, limit) }

    /// The automatic torch that measures delivered frames; nil where none is on.
    var torch: TorchWatch? {
        get { state.withLock { $0.torch } }
        set { state.withLock { $0.torch = newValue } }
    }

    /// True while the owner wants no frames, though the camera streams.
    var isPaused: Bool {
        get { pause.load(ordering: .relaxed) }
        set { pause.store(newValue, ordering: .relaxed) }
    }

    /// The transform that shows frames upright, from the next one on.
    var orientation: Orientation {
        get { Orientation.allCases[turn.load(ordering: .relaxed)] }
        set { turn.store(newValue.quarterTurns + (newValue.isMirrored ? 4 : 0), ordering: .relaxed) }
    }

    func setOnFrame(_ onFrame: @escaping @Sendable () -> Void) {
        let listener = Listener(onFrame)
        state.withLock { $0.listener = listener }
    }

    /// The queues of recordings of every frame, whether or not the consumer gets it.
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

    /// Makes a ticket for a successor of the present camera.
    ///
    /// The first camera has ticket 0.
    func makeTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Admits the frames of one camera from now on, and of no other.
    ///
    /// Frames of the previous camera that are still being decoded are dropped as late. The consumer may still take its
    /// newest frame.
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
    ///   - lost: The number of frames lost before it.
    ///   - ticket: The camera's ticket.
    /// - Returns: The frame's number, from 0, lost ones included; nil when its camera is not admitted.
    func count(lost: Int, by ticket: Int) -> UInt64? {
        state.withLock { state in
            guard ticket == state.admitted else { return nil }
            let sequence = state.statistics.lastSequence.map { $0 + 1 + UInt64(lost) } ?? UInt64(lost)
            state.statistics.lastSequence = sequence
            state.statistics.dropped[.sequenceGap] += lost
            return sequence
        }
    }

    /// Offers a frame to the consumer, in place of one that it has not taken.
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

    /// Counts a dropped frame.
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

    /// Withdraws the frame on offer, and ends the period, so that frames still being decoded are dropped.
    ///
    /// Does nothing for a camera that is not admitted.
    func endPeriod(_ reason: DropReason, by ticket: Int, at now: Timestamp) {
        state.withLock { state in
            guard ticket == state.admitted else { return }
            state.period += 1
            state.endOfPeriod = reason
            // A stopped camera keeps its rate for the final report.
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

/// Measures a rate from the latest events.
struct RateMeter {
    private var moments = InlineArray<32, Timestamp>(repeating: .zero)
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func tick(_ now: Timestamp) {
        // A pause is not a slow rate: the measurement restarts.
        if count > 0, moments[(count - 1) % moments.count].duration(to: now) > .seconds(1) { count = 0 }
        moments[count % moments.count] = now
        count += 1
    }

    /// The events a second; 0 when the latest is long past.
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

/// Distinguishes the first event of a burst: one after a second without events.
struct BurstGate {
    private static let quiet = Duration.seconds(1)
    private var last: Timestamp?

    mutating func opens(at now: Timestamp) -> Bool {
        defer { last = now }
        return last.map { $0.duration(to: now) >= Self.quiet } ?? true
    }
}
