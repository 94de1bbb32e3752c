internal import CPlatform
internal import Glibc
internal import PipFrames
internal import Synchronization

/// The time of a receiver of satellites in the place of the machine's, on boards whose clock nobody has set.
extension WallTime {
    /// The receiver's time at the boot, in nanoseconds since 1970; 0 while the machine's clock counts.
    private static let boot = Atomic<Int64>(0)
    /// The times that are believed: a receiver that is too old for its own calendar is 1024 weeks behind.
    private static let believed = Duration.seconds(1_767_225_600)...(.seconds(1_767_225_600 + 40 * 31_556_952))
    /// The smallest delay of the machine's clock for which its time is left.
    ///
    /// A board without a clock chip goes on with the time of its end, or of its system's making: it is late. A receiver
    /// that is behind repeats a recorded way.
    private static let leastDelay = Duration.seconds(60)

    /// The present time by the receiver; nil while the machine's clock counts.
    static var byReceiver: WallTime? {
        let boot = boot.load(ordering: .relaxed)
        return boot == 0 ? nil : WallTime(sinceEpoch: .nanoseconds(boot) + reading(of: CLOCK_BOOTTIME))
    }

    /// Takes a receiver's time for the present time, if the machine's clock is not set and late.
    ///
    /// - Parameter time: The present time as the receiver tells it.
    /// - Returns: True when the present time has changed by this.
    package static func follow(receiver time: WallTime) -> Bool {
        guard isWanted(time, after: now, isSynchronized: pip_clock_is_synchronized()) else { return false }
        boot.store((time.sinceEpoch - reading(of: CLOCK_BOOTTIME)).nanoseconds, ordering: .relaxed)
        return true
    }

    /// Lets the machine's clock count again, once it is set.
    ///
    /// - Parameter isSynchronized: True when the clock is set, as the kernel knows.
    /// - Returns: True when the present time has changed by this.
    package static func followMachine(isSynchronized: Bool = pip_clock_is_synchronized()) -> Bool {
        guard boot.load(ordering: .relaxed) != 0, isSynchronized else { return false }
        boot.store(0, ordering: .relaxed)
        return true
    }

    /// True if a receiver's time counts in the place of the present time.
    static func isWanted(_ time: WallTime, after present: WallTime, isSynchronized: Bool) -> Bool {
        !isSynchronized && believed.contains(time.sinceEpoch) && time.sinceEpoch - present.sinceEpoch > leastDelay
    }
}
