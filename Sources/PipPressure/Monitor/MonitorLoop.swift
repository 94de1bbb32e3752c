internal import PipConcurrency
internal import PipFrames

/// The body of the monitor's thread.
///
/// Takes a sample, sleeps until the next sample is due, and wakes early for kernel events.
struct MonitorLoop {
    static let interval = Duration.seconds(1)
    /// The interval before the second sample, which confirms a higher level.
    ///
    /// This interval keeps the response below two seconds.
    private static let secondLook = Duration.milliseconds(500)
    /// The interval between samples at the level serious and above.
    private static let shortInterval = Duration.milliseconds(200)
    /// The least time between two samples, even when many events arrive.
    static let shortestInterval = Duration.milliseconds(100)

    private var sampler: PressureSampler
    private var wakeSources: [any WakeSource]
    private let interruption: Interruption
    private let clock: MonotonicClock

    init(
        sampler: PressureSampler, wakeSources: [any WakeSource], interruption: Interruption, clock: MonotonicClock
    ) {
        self.clock = clock
        self.sampler = sampler
        self.wakeSources = wakeSources
        self.interruption = interruption
    }

    mutating func run(
        load: () -> LoadSample, thresholds: () -> [String: LevelThresholds],
        onState: (PressureState, [SensorProblem], Timestamp) -> Void,
        onWake: (EarlyWake?) -> Void
    ) {
        while !interruption.isRaised {
            let now = clock.now
            sampler.use(thresholds())
            let (state, problems) = sampler.sample(load: load(), now: now)
            guard !interruption.isRaised else { return }
            onState(state, problems, now)
            let wake = sleep(
                after: now, until: now.advanced(by: Self.interval(at: state.level, isUnsure: sampler.isUnsure)))
            if wake == .changedSensors { sampler.rescan() }
            if !interruption.isRaised { onWake(wake) }
        }
    }

    /// The time from one sample to the next.
    static func interval(at level: PressureLevel, isUnsure: Bool) -> Duration {
        level >= .serious ? shortInterval : isUnsure ? secondLook : interval
    }

    /// Sleeps until `next`, or until a wake source gives a reason to take a sample.
    ///
    /// - Returns: The reason; nil when `next` has come, or when the monitor is stopped.
    private mutating func sleep(after last: Timestamp, until next: Timestamp) -> EarlyWake? {
        while true {
            let (wake, ready) = interruption.wait(
                for: wakeSources.map { ($0.descriptor, $0.events) }, until: next, by: clock)
            guard case .ready = wake else { return nil }
            var reasons: [EarlyWake] = []
            var lost: [Int] = []
            for index in wakeSources.indices where ready[index] != 0 {
                do throws(WakeSourceLost) {
                    if let reason = try wakeSources[index].take(ready[index]) { reasons.append(reason) }
                } catch {
                    lost.append(index)
                }
            }
            for index in lost.reversed() { wakeSources.remove(at: index) }
            // Events are left unread during the pause, so that a burst of events causes one sample.
            let pause = (reasons.isEmpty ? clock.now : last).advanced(by: Self.shortestInterval)
            _ = interruption.wait(for: -1, events: 0, until: min(next, pause), by: clock)
            if let reason = reasons.first(where: { $0 == .changedSensors }) ?? reasons.first { return reason }
        }
    }
}
