/// Measures the rate of a camera's own clock, from the timestamps and sequence numbers of the frames that were shown
/// since the camera began or resumed to deliver.
struct FramePace {
    private var first: (moment: Timestamp, sequence: UInt64)?
    private var last: (moment: Timestamp, sequence: UInt64)?

    /// The shortest time over which drift can be distinguished from jitter.
    private static let leastTime = Duration.seconds(2)

    mutating func note(_ info: FrameInfo) {
        // An estimated timestamp is an arrival time on the system's clock, not a time on the camera's clock.
        guard !info.isTimestampEstimated else { return }
        if first == nil { first = (info.timestamp, info.sequence) }
        last = (info.timestamp, info.sequence)
    }

    /// The frame rate by the camera's clock, counting lost frames; nil until the camera's timestamps span two seconds.
    var framesPerSecond: Double? {
        guard let first, let last, last.sequence > first.sequence else { return nil }
        let time = first.moment.duration(to: last.moment)
        guard time >= Self.leastTime else { return nil }
        return Double(last.sequence - first.sequence) / time.inSeconds
    }

    /// Measures the drift of this camera's clock against another camera's.
    ///
    /// - Parameters:
    ///   - other: The other camera's pace.
    ///   - nominal: This camera's nominal rate divided by the other's.
    /// - Returns: The drift in parts per million; nil while one of the rates is not known.
    func drift(against other: FramePace, nominal: Double = 1) -> Double? {
        guard let own = framesPerSecond, let reference = other.framesPerSecond, reference > 0, nominal > 0 else {
            return nil
        }
        return (own / reference / nominal - 1) * 1e6
    }
}
