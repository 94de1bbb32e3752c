#if Media
internal import PipConcurrency
internal import PipFrames

/// The calendar's clock as a recording reads it.
struct RecordingCalendar: Sendable {
    /// The smallest jump of the clock after which files get new names.
    ///
    /// Boards without a clock chip begin in 1970, or in the year in which their system was built. A virtual machine
    /// that was paused has smaller jumps, and its files have the right names already.
    static let leastJump = Duration.seconds(30 * 86_400)

    /// A time that is added to the machine's clock, so that tests can set the clock.
    private let shift: @Sendable () -> Duration
    /// A time of the clock that nobody sets, and that also counts while the machine sleeps.
    private let origin = ContinuousClock.now

    init(shiftedBy shift: @escaping @Sendable () -> Duration = { .zero }) { self.shift = shift }

    /// The present time.
    var now: WallTime { WallTime.now + shift() }

    /// The time at which a timestamp was taken.
    func time(of moment: Timestamp, by clock: MonotonicClock) -> WallTime { WallTime(of: moment, by: clock) + shift() }

    /// The time of this clock at a moment that does not change: a difference shows that the clock was set.
    var lead: Duration { now.sinceEpoch - origin.duration(to: .now) }

    /// The time by which the clock was set since it had `lead`; nil for a small change.
    func jump(since lead: Duration) -> Duration? {
        let jump = self.lead - lead
        return jump < Self.leastJump && jump > .zero - Self.leastJump ? nil : jump
    }
}

extension WallTime {
    /// The time that is later by `duration`.
    static func + (time: WallTime, duration: Duration) -> WallTime { time - (.zero - duration) }
}
#endif
