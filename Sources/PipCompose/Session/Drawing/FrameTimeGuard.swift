/// Detects frames whose drawing takes so long that an effect must be the cause, whatever the machine's load.
///
/// The GPU draws frames one after the other, and the loop checks only now and then whether one is ready. A frame
/// therefore counts with the time that it has certainly taken. In software rendering, a frame that used little CPU time
/// was delayed by other processes, and does not count.
struct FrameTimeGuard {
    /// The drawing time above which a frame is slow.
    static let limit = Duration.milliseconds(250)
    /// The number of consecutive slow frames that trips the guard.
    static let patience = 3
    /// True when drawing uses the processors instead of a GPU.
    private var shadesOnCPU: Bool
    /// The moment from which the oldest frame in flight is timed, and the process's CPU time at that moment.
    ///
    /// The start of the frame's drawing, or the moment at which the frame before was ready.
    private var began: (moment: Timestamp, used: Duration)?
    /// The latest check at which the oldest frame in flight was not ready, and the process's CPU time at that moment.
    private var lastLook: (moment: Timestamp, used: Duration)?
    private var inFlight = 0
    /// The number of frames in flight that an earlier plan has drawn.
    private var ignored = 0
    private var slow = 0
    /// True after the guard has tripped, until another plan draws.
    private var isWaiting = false
    /// The verdict on the frames of this tick; nil while no frame is ready or slow.
    private var verdict: Verdict?

    private enum Verdict: Equatable { case fast, slow(Duration) }

    init(shadesOnCPU: Bool) { self.shadesOnCPU = shadesOnCPU }

    /// Starts anew for another plan: frames of the plan before no longer count.
    mutating func planChanged(shadesOnCPU: Bool) {
        self.shadesOnCPU = shadesOnCPU
        (ignored, slow, isWaiting) = (inFlight, 0, false)
    }

    /// Notes that a frame was handed to the renderer.
    ///
    /// - Parameters:
    ///   - start: The time at which drawing began.
    ///   - used: The process's CPU time at that moment.
    mutating func frameDrawn(from start: Timestamp, used: Duration) {
        if inFlight == 0 { (began, lastLook) = ((start, used), nil) }
        inFlight += 1
    }

    /// Notes that the oldest frame in flight is ready.
    mutating func frameReady(at now: Timestamp, used: Duration) {
        guard inFlight > 0 else { return }
        if let began, let lastLook { note(lastLook.used - began.used, of: began.moment.duration(to: lastLook.moment)) }
        inFlight -= 1
        ignored = max(0, ignored - 1)
        verdict = verdict ?? .fast
        (began, lastLook) = (inFlight > 0 ? (now, used) : nil, nil)
    }

    /// Evaluates a tick, after the loop has collected the finished frames.
    ///
    /// - Returns: The latest frame's drawing time when enough consecutive frames were slow. Nil otherwise, and from
    ///   then on until another plan draws.
    mutating func tickEnded(
        from start: Timestamp, at now: Timestamp, usedAtStart: Duration, used: Duration
    ) -> Duration? {
        // A tick that waits for its frame takes as long as the frame's drawing.
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

    /// Judges a frame by its drawing time, and the CPU time used meanwhile.
    private mutating func note(_ used: Duration, of work: Duration) {
        guard work > Self.limit, ignored == 0 else { return }
        guard !shadesOnCPU || used > Self.limit else { return }
        if case .slow(let known)? = verdict, known > work { return }
        verdict = .slow(work)
    }
}
