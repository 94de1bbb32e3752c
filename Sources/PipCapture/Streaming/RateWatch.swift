internal import PipFrames

/// Detects a camera that delivers less than its promised rate for some seconds, and its recovery.
///
/// Lost frames count as delivered, because the camera has made them.
struct RateWatch {
    private let promised: FrameRate?
    private let hint: String
    /// The present window: the time of its first frame, and the number of frames since, lost ones included.
    private var start: Timestamp?
    private var count = 0
    private var last = Timestamp.zero
    /// The number of consecutive windows with too few frames.
    private var poorWindows = 0
    private var isDegraded = false

    /// The length of a window.
    ///
    /// A low rate is detected within five seconds.
    private static let window = Duration.milliseconds(1500)
    private static let patience = 2
    /// The shares of the promised rate below which a window is poor, and from which the rate has recovered.
    private static let tooFew = 0.9
    private static let enough = 0.95
    /// A longer pause is no low rate, but a stall or a stopped process.
    private let longestPause: Duration

    /// - Parameters:
    ///   - promised: The negotiated rate; nil disables the watch.
    ///   - hint: The remedy to report with the event.
    init(promised: FrameRate?, hint: String) {
        self.promised = promised
        self.hint = hint
        longestPause = max(.seconds(1), (promised?.interval ?? .zero) * 5)
    }

    /// Counts a frame.
    ///
    /// - Parameters:
    ///   - lost: The number of frames lost before it.
    ///   - now: The time of arrival.
    /// - Returns: The event, if the rate has just become too low or recovered.
    mutating func frameArrived(lost: Int, at now: Timestamp) -> CameraEvent? {
        guard let promised else { return nil }
        guard let start, last.duration(to: now) < longestPause else {
            begin(at: now)
            return nil
        }
        last = now
        count += 1 + lost
        let elapsed = start.duration(to: now)
        guard elapsed >= Self.window else { return nil }
        let rate = Double(count) / elapsed.inSeconds
        begin(at: now)
        return judge(rate, promised)
    }

    /// Restarts the measurement, because the camera was switched off or its stream restarted.
    mutating func streamRestarted() { (start, poorWindows) = (nil, 0) }

    private mutating func begin(at now: Timestamp) { (start, last, count) = (now, now, 0) }

    private mutating func judge(_ rate: Double, _ promised: FrameRate) -> CameraEvent? {
        let share = rate / promised.framesPerSecond
        poorWindows = share < Self.tooFew ? poorWindows + 1 : 0
        if isDegraded, share >= Self.enough {
            isDegraded = false
            return .recovered(promised)
        }
        guard !isDegraded, poorWindows >= Self.patience else { return nil }
        isDegraded = true
        return .degraded(framesPerSecond: rate, of: promised, hint: hint)
    }
}
