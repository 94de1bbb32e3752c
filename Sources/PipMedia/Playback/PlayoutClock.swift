#if Media
internal import PipFrames

/// Computes presentation times for frames that arrive in bursts: even times, with just enough delay for the most
/// delayed frame.
struct PlayoutClock {
    /// The longest time from now to a due time; a longer time means that the stream's timestamps have started again.
    private static let farthestAhead = Duration.seconds(30)
    /// The lateness of sound that does no harm, because the mixer mixes sound later.
    private static let soundDelay = Duration.milliseconds(40)
    /// The extra delay after late sound, and after a late frame of a stream with sound.
    ///
    /// The delay is so large that the mixer does not mistake it for clock drift.
    private static let extraSoundDelay = Duration.milliseconds(60)
    /// The earliness of frames from which on the delay shrinks, and the step for each frame, too small to hear.
    private static let (earlyThreshold, catchUpStep) = (Duration.milliseconds(100), Duration.microseconds(30))
    /// The timestamp at which the stream's time 0 is presented; nil before the first frame.
    private var origin: Timestamp?
    /// The time from the arrival of the latest sound to its presentation; nil before the first sound.
    private var soundEarliness: Duration?

    /// Returns the time at which a frame must be shown.
    ///
    /// Late frames increase the delay.
    ///
    /// - Parameters:
    ///   - time: The stream's time of the frame. Nil when the stream gives none.
    ///   - now: The time of the frame's arrival.
    ///   - isHeard: True when the stream's sound is decoded, too.
    /// - Returns: The time, not before `now`.
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

    /// Returns the time at which sound must be heard, together with the frames of the same stream time.
    ///
    /// Late sound increases the delay of sound and frames.
    ///
    /// - Parameters:
    ///   - time: The stream's time of the sound.
    ///   - now: The time of the sound's arrival.
    /// - Returns: The time. Nil before the first frame, and when the stream's timestamps have started again.
    mutating func heard(_ time: Duration, now: Timestamp) -> Timestamp? {
        guard let origin else { return nil }
        let latest = now.advanced(by: .zero - Self.soundDelay)
        let due = origin.advanced(by: time)
        // Sound far ahead or far behind means that the stream's timestamps have started again.
        guard now.duration(to: due) <= Self.farthestAhead else { return nil }
        soundEarliness = now.duration(to: due)
        if due >= latest { return due }
        guard due.duration(to: latest) <= Self.farthestAhead else { return nil }
        let moment = latest.advanced(by: Self.extraSoundDelay)
        self.origin = moment.advanced(by: .zero - time)
        return moment
    }

    /// Returns the presentation time of a frame with the current delay; nil before the first frame, and without a
    /// stream time.
    func moment(of time: Duration?) -> Timestamp? {
        guard let time, let origin else { return nil }
        return origin.advanced(by: time)
    }

    /// Reduces the delay by a small step, if frames and sound arrive early enough.
    ///
    /// - Parameters:
    ///   - due: The presentation time of a frame.
    ///   - now: The time of the frame's arrival.
    mutating func recover(_ due: Timestamp, now: Timestamp) {
        guard now.duration(to: due) > Self.earlyThreshold, soundEarliness.map({ $0 > Self.earlyThreshold }) ?? true
        else { return }
        origin = origin?.advanced(by: .zero - Self.catchUpStep)
    }
}
#endif
