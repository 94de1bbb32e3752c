internal import PipFrames

/// The states of a camera and what leads from one to the next, without a device or a clock.
struct CameraLifecycle {
    /// The response to a failure.
    enum Remedy: Equatable {
        /// Stop the stream and start it again.
        case restart
        case giveUp
    }

    private(set) var state = CameraState.opening
    /// The silence after which a camera has stalled.
    let patience: Duration

    private var hasDelivered = false
    /// A restart was tried, and no good frame came since.
    private var isIncidentOpen = false
    private var lastSign = Timestamp.zero
    /// The moments of the latest restarts, the oldest at `restartIndex`.
    private var restarts = InlineArray<5, Timestamp?>(repeating: nil)
    private var restartIndex = 0

    /// More restarts than remembered in this time are not worth another.
    private static let restartWindow = Duration.seconds(10)

    /// A camera that is opened and not yet streaming.
    ///
    /// - Parameter frameRate: The promised rate: a camera has stalled after five intervals without a frame, a second at
    ///   least.
    init(frameRate: FrameRate?) {
        let interval = frameRate?.interval ?? .zero
        patience = max(.seconds(1), interval * 5)
    }

    /// True while the driver should be filling buffers.
    var isRunning: Bool { state == .streaming || state == .stalled }

    /// When silence becomes a stall; nil when nothing is expected.
    var deadline: Timestamp? { state == .streaming ? lastSign.advanced(by: patience) : nil }

    /// The stream was started.
    mutating func streamStarted(at now: Timestamp) {
        state = .streaming
        lastSign = now
    }

    /// The driver gave something, be it a damaged frame, or could not for want of a buffer.
    mutating func showedLife(at now: Timestamp) { lastSign = now }

    /// A good frame came.
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

    /// The driver failed.
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
