internal import PipFrames

/// Examines filled buffers: counts, checks and stamps them.
struct FrameIntake {
    /// A good frame that was taken from the driver and not yet handed over.
    struct Taken {
        let filled: FilledBuffer
        /// Its number; nil when its camera's frames do not count yet, or any more.
        let sequence: UInt64?
        /// Frames that were lost before it.
        let lost: Int
        let timestamp: Timestamp
        let isEstimated: Bool
        /// Where its planes lie.
        let layout: FrameLayout
        /// How often the stream had been started anew before it.
        let stream: Int
    }

    private var checker: FrameChecker
    private var sequences = SequenceTracker()
    private var stamps: TimestampPolicy
    /// The number of times that the stream was started anew.
    private var streams = 0
    private var hasReportedTimestamps = false
    /// The number of consecutive unusable frames, up to the latest.
    private(set) var unusableInARow = 0

    init(_ negotiated: NegotiatedFormat) {
        checker = FrameChecker(negotiated)
        stamps = TimestampPolicy(span: negotiated.span)
    }

    /// Counts, checks and stamps a frame.
    ///
    /// - Returns: The frame; nil when it is dropped.
    mutating func take(_ filled: FilledBuffer, now: Timestamp, _ link: CameraLink) -> Taken? {
        let lost = sequences.next(filled.sequence).lost
        let sequence = link.outlet.count(lost: lost, by: link.ticket)
        if let reason = checker.fault(filled) {
            unusableInARow += 1
            if sequence != nil { link.outlet.drop(reason, at: now) }
            return nil
        }
        unusableInARow = 0
        let (timestamp, isEstimated) = stamps.stamp(filled.timestamp, isOfEnd: filled.isStampedAtEnd, now: now)
        checker.place(filled)
        return Taken(
            filled: filled, sequence: sequence, lost: lost, timestamp: timestamp, isEstimated: isEstimated,
            layout: checker.layout, stream: streams)
    }

    /// The fault of the driver's timestamps, returned once.
    mutating func timestampNews() -> TimestampProblem? {
        guard !hasReportedTimestamps, let problem = stamps.problem else { return nil }
        hasReportedTimestamps = true
        return problem
    }

    /// Expects the driver to count and to stamp anew.
    mutating func streamRestarted() {
        streams += 1
        sequences.streamRestarted()
        stamps.streamRestarted()
        unusableInARow = 0
    }
}
