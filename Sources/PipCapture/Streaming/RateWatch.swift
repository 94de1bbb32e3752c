internal import PipFrames

/// Detects a camera that delivers less than its promised rate for some seconds, and its recovery.
///
/// Frames lost on the way count as delivered: the camera has made them.
struct RateWatch {
    private let promised: FrameRate?
    private let hint: String
    /// The first frame of the window at hand, and how many have come since, lost ones included.
    private var start: Timestamp?
    private var count = 0
    private var last = Timestamp.zero
    /// Windows in a row that had too few.
    private var poorWindows = 0
    private var isDegraded = false

    /// With windows of this length, it is known within five seconds.
    private static let window = Duration.milliseconds(1500)
    private static let patience = 2
    /// From which share of the promised rate on a window has too few frames, and enough of them again.
    private static let tooFew = 0.9
    private static let enough = 0.95
    /// A pause is no low rate: it is a stall, or the process stood still.
    private let longestPause: Duration

    /// - Parameters:
    ///   - promised: The negotiated rate; nil disables the watch.
    ///   - hint: Advice for the event.
    init(promised: FrameRate?, hint: String) {
        self.promised = promised
        self.hint = hint
        longestPause = max(.seconds(1), (promised?.interval ?? .zero) * 5)
    }

    /// Counts a frame in.
    ///
    /// - Parameters:
    ///   - lost: The number of frames lost before it.
    ///   - now: The moment of arrival.
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

    /// Begins anew: the camera was switched off, or its stream started again.
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
