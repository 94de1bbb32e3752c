internal import PipFrames

/// Counts a camera's filled buffers, checks their frames and determines the timestamps.
struct FrameIntake {
    /// An undamaged frame that was dequeued and not yet passed on.
    struct Taken {
        let filled: FilledBuffer
        /// The frame's number; nil when its camera is not the slot's present camera.
        let sequence: UInt64?
        /// The number of frames lost before this frame.
        let lost: Int
        let timestamp: Timestamp
        let isEstimated: Bool
        /// The layout of the frame's planes in the buffer.
        let layout: FrameLayout
        /// The number of stream restarts before this frame.
        let stream: Int
    }

    private var checker: FrameChecker
    private var sequences = SequenceTracker()
    private var stamps: TimestampPolicy
    /// The number of stream restarts.
    private var streams = 0
    private var hasReportedTimestamps = false
    /// The number of consecutive unusable frames, up to the latest.
    private(set) var unusableInARow = 0

    init(_ negotiated: NegotiatedFormat) {
        checker = FrameChecker(negotiated)
        stamps = TimestampPolicy(span: negotiated.span)
    }

    /// Counts and checks a frame, and determines its timestamp.
    ///
    /// - Returns: The frame; nil for a damaged or truncated frame, which is dropped.
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

    /// Returns the fault of the driver's timestamps, but only once; nil while the timestamps are valid.
    mutating func newTimestampProblem() -> TimestampProblem? {
        guard !hasReportedTimestamps, let problem = stamps.problem else { return nil }
        hasReportedTimestamps = true
        return problem
    }

    /// Restarts counting and timestamps, because the driver restarts both with the stream.
    mutating func streamRestarted() {
        streams += 1
        sequences.streamRestarted()
        stamps.streamRestarted()
        unusableInARow = 0
    }
}
