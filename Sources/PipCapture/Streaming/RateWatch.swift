internal import PipFrames

/// Detects a camera that stays below its negotiated rate for some seconds, and its recovery.
///
/// Frames that were lost on the way count as delivered, because the camera has produced them.
struct RateWatch {
    private let promised: FrameRate?
    private let hint: String
    /// The time of the first frame in the present window; nil before a window begins.
    private var start: Timestamp?
    /// The number of frames since ``start``, lost frames included.
    private var count = 0
    private var last = Timestamp.zero
    /// The number of consecutive windows with too few frames.
    private var poorWindows = 0
    private var isDegraded = false

    /// The length of a window of measurement.
    ///
    /// This length lets the watch detect a low rate within five seconds.
    private static let window = Duration.milliseconds(1500)
    private static let patience = 2
    /// The share of the negotiated rate below which a window counts as poor.
    ///
    /// The rate has recovered when the share reaches ``enough``.
    private static let tooFew = 0.9
    private static let enough = 0.95
    /// The longest pause within a window.
    ///
    /// A longer pause is a stall or a stopped process, and restarts the measurement.
    private let longestPause: Duration

    /// - Parameters:
    ///   - promised: The negotiated rate; nil disables the watch.
    ///   - hint: The remedy to report with the event.
    init(promised: FrameRate?, hint: String) {
        self.promised = promised
        self.hint = hint
        longestPause = max(.seconds(1), (promised?.interval ?? .zero) * 5)
    }

    /// Counts a frame, and evaluates the rate at the end of a window.
    ///
    /// - Parameters:
    ///   - lost: The number of frames lost before this frame.
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
