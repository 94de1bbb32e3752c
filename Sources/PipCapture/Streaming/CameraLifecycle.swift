internal import PipFrames

/// The state machine of a camera, without a device or a clock.
struct CameraLifecycle {
    /// The response to a failure of the driver.
    enum Remedy: Equatable {
        /// The camera must stop and start its stream.
        case restart
        case giveUp
    }

    private(set) var state = CameraState.opening
    /// The time without a frame after which the camera counts as stalled.
    let patience: Duration

    private var hasDelivered = false
    /// True after a restart, until the next undamaged frame.
    private var isIncidentOpen = false
    private var lastSign = Timestamp.zero
    /// The times of the latest restarts after failures, the oldest at `restartIndex`.
    private var restarts = InlineArray<5, Timestamp?>(repeating: nil)
    private var restartIndex = 0

    /// The time span in which the stream is restarted after failures at most as often as ``restarts`` has elements.
    private static let restartWindow = Duration.seconds(10)

    /// Begins with a camera that is open and does not stream yet.
    ///
    /// - Parameter frameRate: The negotiated rate. A camera counts as stalled after five frame intervals without a
    ///   frame, but not before a second.
    init(frameRate: FrameRate?) {
        let interval = frameRate?.interval ?? .zero
        patience = max(.seconds(1), interval * 5)
    }

    /// True while the driver should be filling buffers.
    var isRunning: Bool { state == .streaming || state == .stalled }

    /// The time at which the camera counts as stalled without another frame; nil unless the state is `streaming`.
    var deadline: Timestamp? { state == .streaming ? lastSign.advanced(by: patience) : nil }

    /// Records the start of the stream.
    mutating func streamStarted(at now: Timestamp) {
        state = .streaming
        lastSign = now
    }

    /// Records that the driver has returned a buffer, even with a damaged frame.
    ///
    /// Call this function also while the driver has no free buffers, because the camera cannot deliver then.
    mutating func driverAnswered(at now: Timestamp) { lastSign = now }

    /// Records an undamaged frame.
    ///
    /// - Returns: The event for the first frame, or for the first frame after a stall; nil for other frames.
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
    /// - Returns: The time without a frame, if it has just reached the limit; the caller must then restart or end the
    ///   stream.
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
