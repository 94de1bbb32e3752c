#if Media
internal import PipFrames

/// When frames that come in pieces are shown: evenly by their times, as late as the latest of them made necessary.
struct PlayoutClock {
    /// How far ahead a frame may lie; one beyond that is of another count of time.
    private static let farthest = Duration.seconds(30)
    /// The moment of time 0; nil before the first frame.
    private var zero: Timestamp?

    /// Finds the moment at which a frame is to be shown.
    ///
    /// - Parameters:
    ///   - time: Of the stream; nil where it gives none.
    ///   - now: When it came.
    /// - Returns: The moment, not before now.
    mutating func due(_ time: Duration?, now: Timestamp) -> Timestamp {
        guard let time else { return now }
        if let zero {
            let due = zero.advanced(by: time)
            if due >= now, now.duration(to: due) <= Self.farthest { return due }
        }
        zero = now.advanced(by: .zero - time)
        return now
    }
}

/// How long to wait between two attempts to connect: twice as long each time, up to eight seconds.
struct ConnectionBackOff: Equatable {
    private static let longest = Duration.seconds(8)
    private var wait = Duration.milliseconds(500)

    /// The wait before the next attempt.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    /// Begins anew, after frames have come.
    mutating func reset() { self = ConnectionBackOff() }
}
#endif
