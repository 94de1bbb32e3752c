internal import CPlatform
internal import Glibc
internal import PipFrames
internal import Synchronization

/// The time of a receiver of satellites, which pictures show on boards whose clock nobody has set.
///
/// Names and dates of files stay with the machine's clock, by which the kernel dates files: retention compares them.
extension WallTime {
    /// The receiver's time at the boot, in nanoseconds since 1970; 0 while the machine's clock is shown.
    private static let boot = Atomic<Int64>(0)
    /// The times that are believed: a receiver that is too old for its own calendar is 1024 weeks behind.
    private static let believed = Duration.seconds(1_767_225_600)...(.seconds(1_767_225_600 + 40 * 31_556_952))
    /// The smallest delay of the machine's clock for which its time is left.
    ///
    /// A board without a clock chip goes on with the time of its end, or of its system's making: it is late. A receiver
    /// that is behind repeats a recorded way.
    private static let leastDelay = Duration.seconds(60)

    /// The time by which the shown time is later than the machine's; zero while the machine's is shown.
    private static var lead: Duration {
        let boot = boot.load(ordering: .relaxed)
        return boot == 0 ? .zero : .nanoseconds(boot) + reading(of: CLOCK_BOOTTIME) - reading(of: CLOCK_REALTIME)
    }

    /// The present time as pictures show it: by the receiver, or by the machine's clock.
    package static var shown: WallTime { now.shown }

    /// This time of the machine's clock as pictures show it.
    package var shown: WallTime { WallTime(sinceEpoch: sinceEpoch + Self.lead) }

    /// Has pictures show a receiver's time, if the machine's clock is not set and late.
    ///
    /// - Parameter time: The present time as the receiver tells it.
    /// - Returns: True when the shown time has changed by this.
    package static func follow(receiver time: WallTime) -> Bool {
        guard isWanted(time, after: shown, isSynchronized: pip_clock_is_synchronized()) else { return false }
        boot.store((time.sinceEpoch - reading(of: CLOCK_BOOTTIME)).nanoseconds, ordering: .relaxed)
        return true
    }

    /// Has pictures show the machine's clock again, once it is set.
    ///
    /// - Parameter isSynchronized: True when the clock is set, as the kernel knows.
    /// - Returns: True when the shown time has changed by this.
    package static func followMachine(isSynchronized: Bool = pip_clock_is_synchronized()) -> Bool {
        guard boot.load(ordering: .relaxed) != 0, isSynchronized else { return false }
        boot.store(0, ordering: .relaxed)
        return true
    }

    /// True if a receiver's time is shown in the place of another one.
    static func isWanted(_ time: WallTime, after present: WallTime, isSynchronized: Bool) -> Bool {
        !isSynchronized && believed.contains(time.sinceEpoch) && time.sinceEpoch - present.sinceEpoch > leastDelay
    }
}
