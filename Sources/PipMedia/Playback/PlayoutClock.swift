#if Media
internal import PipFrames

/// When frames that come in pieces are shown: evenly by their times, as late as the latest of them made necessary.
struct PlayoutClock {
    /// How far ahead a frame may lie; one beyond that is of another count of time.
    private static let farthest = Duration.seconds(30)
    /// Sound may come so much later than it is heard, since it is mixed later.
    private static let soundDelay = Duration.milliseconds(40)
    /// By how much more than necessary everything is put off where there is sound: a clear step, which the mixer does
    /// not take for a clock that is off.
    private static let reserve = Duration.milliseconds(60)
    /// What comes by more than this too early is shown a little earlier each time, so slowly that nobody hears it.
    private static let (slack, creep) = (Duration.milliseconds(100), Duration.microseconds(30))
    /// The moment of time 0; nil before the first frame.
    private var zero: Timestamp?
    /// By how much the latest sound was early.
    private var soundSlack: Duration?

    /// Finds the moment at which a frame is to be shown.
    ///
    /// - Parameters:
    ///   - time: Of the stream; nil where it gives none.
    ///   - now: When it came.
    ///   - isHeard: Whether sound goes with it.
    /// - Returns: The moment, not before now.
    mutating func due(_ time: Duration?, now: Timestamp, isHeard: Bool = false) -> Timestamp {
        guard let time else { return now }
        if let zero {
            let due = zero.advanced(by: time)
            if due >= now, now.duration(to: due) <= Self.farthest { return due }
        }
        let moment = isHeard && zero != nil ? now.advanced(by: Self.reserve) : now
        zero = moment.advanced(by: .zero - time)
        return moment
    }

    /// Finds the moment at which sound is to be heard: with the frames of its time, which wait for it where it is late.
    ///
    /// - Parameters:
    ///   - time: Of the stream.
    ///   - now: When it came.
    /// - Returns: The moment; nil before the first frame.
    mutating func heard(_ time: Duration, now: Timestamp) -> Timestamp? {
        guard let zero else { return nil }
        let latest = now.advanced(by: .zero - Self.soundDelay)
        let due = zero.advanced(by: time)
        // One that is far ahead, or far behind, is of another count of time.
        guard now.duration(to: due) <= Self.farthest else { return nil }
        soundSlack = now.duration(to: due)
        if due >= latest { return due }
        guard due.duration(to: latest) <= Self.farthest else { return nil }
        let moment = latest.advanced(by: Self.reserve)
        self.zero = moment.advanced(by: .zero - time)
        return moment
    }

    /// The moment of a frame by what is known now; nil where that cannot be told.
    func moment(of time: Duration?) -> Timestamp? {
        guard let time, let zero else { return nil }
        return zero.advanced(by: time)
    }

    /// Makes up for a delay that was necessary once, where frames and sound have come early enough since.
    ///
    /// - Parameters:
    ///   - due: The moment of a frame.
    ///   - now: When it came.
    mutating func recover(_ due: Timestamp, now: Timestamp) {
        guard now.duration(to: due) > Self.slack, soundSlack.map({ $0 > Self.slack }) ?? true else { return }
        zero = zero?.advanced(by: .zero - Self.creep)
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
