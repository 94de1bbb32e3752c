internal import PipFrames

/// The state machine of a camera, without a device or a clock.
struct CameraLifecycle {
    /// The response to a failure.
    enum Remedy: Equatable {
        /// The camera must stop and start its stream.
        case restart
        case giveUp
    }

    private(set) var state = CameraState.opening
    /// The time without a frame after which a camera has stalled.
    let patience: Duration

    private var hasDelivered = false
    /// True after a restart, until the next good frame.
    private var isIncidentOpen = false
    private var lastSign = Timestamp.zero
    /// The times of the latest restarts, the oldest at `restartIndex`.
    private var restarts = InlineArray<5, Timestamp?>(repeating: nil)
    private var restartIndex = 0

    /// The time within which more restarts than remembered are not worth another.
    private static let restartWindow = Duration.seconds(10)

    /// A camera that is open and does not stream yet.
    ///
    /// - Parameter frameRate: The promised rate. A camera has stalled after five intervals without a frame, and not
    ///   before a second.
    init(frameRate: FrameRate?) {
        let interval = frameRate?.interval ?? .zero
        patience = max(.seconds(1), interval * 5)
    }

    /// True while the driver should be filling buffers.
    var isRunning: Bool { state == .streaming || state == .stalled }

    /// The time at which silence becomes a stall; nil when no frames are due.
    var deadline: Timestamp? { state == .streaming ? lastSign.advanced(by: patience) : nil }

    /// Records the start of the stream.
    mutating func streamStarted(at now: Timestamp) {
        state = .streaming
        lastSign = now
    }

    /// Records an answer of the driver: a buffer, even with a damaged frame.
    ///
    /// A camera without free buffers counts as alive, too.
    mutating func driverAnswered(at now: Timestamp) { lastSign = now }

    /// Records a good frame.
    mutating func frameArrived(at now: Timestamp) -> CameraEvent? {
        lastSign = now
        isIncidentOpen = false
        let wasStalled = state == .stalled
        if wasStalled { state = .streaming }
        if !hasDelivered {
            hasDelivered = true
            return .started
        }
        return wasStalled ? .resumed : nil
    }

    /// Checks for a stall.
    ///
    /// - Returns: The length of the silence, once it exceeds the limit: the stream should be restarted.
    mutating func silence(at now: Timestamp) -> Duration? {
        guard let deadline, now >= deadline else { return nil }
        state = .stalled
        isIncidentOpen = true
        return lastSign.duration(to: now)
    }

    /// Records a failure of the driver, and chooses the remedy.
    mutating func failed(at now: Timestamp) -> Remedy {
        let oldest = restarts[restartIndex]
        let isTooOften = oldest.map { $0.duration(to: now) < Self.restartWindow } ?? false
        guard !isIncidentOpen, !isTooOften else { return .giveUp }
        isIncidentOpen = true
        restarts[restartIndex] = now
        restartIndex = (restartIndex + 1) % restarts.count
        return .restart
    }

    mutating func lost() { state = .lost }

    mutating func disabled() { state = .disabled }

    mutating func closed() { if state != .lost { state = .closed } }
}
