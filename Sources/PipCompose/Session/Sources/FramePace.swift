/// The pace of a camera's own clock, by the timestamps and numbers of its frames since its last start.
struct FramePace {
    private var first: (moment: Timestamp, sequence: UInt64)?
    private var last: (moment: Timestamp, sequence: UInt64)?

    /// The time below which drift cannot be told from jitter.
    private static let leastTime = Duration.seconds(2)

    mutating func note(_ info: FrameInfo) {
        // Moments of arrival are of our clock, not of the camera's.
        guard !info.isTimestampEstimated else { return }
        if first == nil { first = (info.timestamp, info.sequence) }
        last = (info.timestamp, info.sequence)
    }

    /// Frames a second, lost ones included; nil while too little is known.
    var framesPerSecond: Double? {
        guard let first, let last, last.sequence > first.sequence else { return nil }
        let time = first.moment.duration(to: last.moment)
        guard time >= Self.leastTime else { return nil }
        return Double(last.sequence - first.sequence) / time.inSeconds
    }

    /// The drift of this camera's clock against another's, in parts per million.
    ///
    /// `nominal` is this camera's promised rate over the other's.
    func drift(against other: FramePace, nominal: Double = 1) -> Double? {
        guard let own = framesPerSecond, let reference = other.framesPerSecond, reference > 0, nominal > 0 else {
            return nil
        }
        return (own / reference / nominal - 1) * 1e6
    }
}
