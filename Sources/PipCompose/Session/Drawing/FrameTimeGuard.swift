/// Detects frames that take so long to draw that an effect must be at fault, whatever the load of the machine.
///
/// Frames are drawn one after the other, and are checked for completion now and then only: a frame counts with the time
/// that it certainly took. Where software draws, a frame that used little CPU time was kept waiting by others, and does
/// not count.
struct FrameTimeGuard {
    /// Longer work on a frame is too long.
    static let limit = Duration.milliseconds(250)
    /// The number of consecutive slow frames that trips the guard.
    static let patience = 3
    /// True when drawing takes the processors' own time.
    private var shadesOnCPU: Bool
    /// The start of the work on the oldest frame in flight, with the process's CPU time at that moment.
    private var began: (moment: Timestamp, used: Duration)?
    /// The latest look at the oldest frame in flight, which was not ready then.
    private var lastLook: (moment: Timestamp, used: Duration)?
    private var inFlight = 0
    /// Frames in flight that were drawn by an earlier plan.
    private var ignored = 0
    private var slow = 0
    /// True when it waits for what was done about the last finding.
    private var isWaiting = false
    /// The verdict on the frames that became ready in this tick.
    private var verdict: Verdict?

    private enum Verdict: Equatable { case fast, slow(Duration) }

    init(shadesOnCPU: Bool) { self.shadesOnCPU = shadesOnCPU }

    /// Another plan draws from now on: frames of the one before mean nothing any more.
    mutating func planChanged(shadesOnCPU: Bool) {
        self.shadesOnCPU = shadesOnCPU
        (ignored, slow, isWaiting) = (inFlight, 0, false)
    }

    /// A frame was handed to the GPU.
    ///
    /// Drawing began at `start`; `used` is the process's CPU time.
    mutating func frameDrawn(from start: Timestamp, used: Duration) {
        if inFlight == 0 { (began, lastLook) = ((start, used), nil) }
        inFlight += 1
    }

    /// The oldest frame in flight became ready.
    mutating func frameReady(at now: Timestamp, used: Duration) {
        guard inFlight > 0 else { return }
        if let began, let lastLook { note(lastLook.used - began.used, of: began.moment.duration(to: lastLook.moment)) }
        inFlight -= 1
        ignored = max(0, ignored - 1)
        verdict = verdict ?? .fast
        (began, lastLook) = (inFlight > 0 ? (now, used) : nil, nil)
    }

    /// The loop has ended a tick, and collected finished frames.
    ///
    /// - Returns: The time of the latest frame, when enough frames were too slow to act.
    mutating func tickEnded(
        from start: Timestamp, at now: Timestamp, usedAtStart: Duration, used: Duration
    ) -> Duration? {
        // A loop that stood still was waiting for what it draws.
        note(used - usedAtStart, of: start.duration(to: now))
        if inFlight > 0 { lastLook = (now, used) }
        defer { verdict = nil }
        switch verdict {
        case nil: return nil
        case .fast:
            slow = 0
            return nil
        case .slow(let work):
            slow += 1
            guard slow >= Self.patience, !isWaiting else { return nil }
            isWaiting = true
            return work
        }
    }

    /// Takes in what a frame has needed.
    private mutating func note(_ used: Duration, of work: Duration) {
        guard work > Self.limit, ignored == 0 else { return }
        guard !shadesOnCPU || used > Self.limit else { return }
        if case .slow(let known)? = verdict, known > work { return }
        verdict = .slow(work)
    }
}
