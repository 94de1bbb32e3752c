#if Media
internal import PipFrames

/// The presentation times of frames that arrive in bursts: even, and as late as the latest frame requires.
struct PlayoutClock {
    /// The furthest that a frame may lie ahead; beyond that, the stream's times have started again.
    private static let farthestAhead = Duration.seconds(30)
    /// The lateness that sound may have at arrival, since the mixer mixes it later.
    private static let soundDelay = Duration.milliseconds(40)
    /// The extra delay of a stream with sound; it makes a clear step, which the mixer does not mistake for clock drift.
    private static let extraSoundDelay = Duration.milliseconds(60)
    /// The earliness from which on frames are shown a little earlier each time, in steps too small to hear.
    private static let (earlyThreshold, catchUpStep) = (Duration.milliseconds(100), Duration.microseconds(30))
    /// The moment of time 0; nil before the first frame.
    private var origin: Timestamp?
    /// The earliness of the latest sound.
    private var soundEarliness: Duration?

    /// The moment at which a frame must be shown.
    ///
    /// - Parameters:
    ///   - time: The stream's time of the frame. Nil where the stream gives none.
    ///   - now: The moment of the frame's arrival.
    ///   - isHeard: True when the stream's sound is decoded, too.
    /// - Returns: The moment, not before `now`.
    mutating func due(_ time: Duration?, now: Timestamp, isHeard: Bool = false) -> Timestamp {
        guard let time else { return now }
        if let origin {
            let due = origin.advanced(by: time)
            if due >= now, now.duration(to: due) <= Self.farthestAhead { return due }
        }
        let moment = isHeard && origin != nil ? now.advanced(by: Self.extraSoundDelay) : now
        origin = moment.advanced(by: .zero - time)
        return moment
    }

    /// The moment at which sound must be heard, together with the frames of the same time.
    ///
    /// Late sound delays these frames.
    ///
    /// - Parameters:
    ///   - time: The stream's time of the sound.
    ///   - now: The moment of the sound's arrival.
    /// - Returns: The moment. Nil before the first frame.
    mutating func heard(_ time: Duration, now: Timestamp) -> Timestamp? {
        guard let origin else { return nil }
        let latest = now.advanced(by: .zero - Self.soundDelay)
        let due = origin.advanced(by: time)
        // Sound far ahead or far behind means that the stream's times have started again.
        guard now.duration(to: due) <= Self.farthestAhead else { return nil }
        soundEarliness = now.duration(to: due)
        if due >= latest { return due }
        guard due.duration(to: latest) <= Self.farthestAhead else { return nil }
        let moment = latest.advanced(by: Self.extraSoundDelay)
        self.origin = moment.advanced(by: .zero - time)
        return moment
    }

    /// The moment of a frame by the present offset; nil where it is unknown.
    func moment(of time: Duration?) -> Timestamp? {
        guard let time, let origin else { return nil }
        return origin.advanced(by: time)
    }

    /// Reduces a delay that was needed once, where frames and sound have come early enough since.
    ///
    /// - Parameters:
    ///   - due: The moment of a frame.
    ///   - now: The moment of the frame's arrival.
    mutating func recover(_ due: Timestamp, now: Timestamp) {
        guard now.duration(to: due) > Self.earlyThreshold, soundEarliness.map({ $0 > Self.earlyThreshold }) ?? true
        else { return }
        origin = origin?.advanced(by: .zero - Self.catchUpStep)
    }
}
#endif
