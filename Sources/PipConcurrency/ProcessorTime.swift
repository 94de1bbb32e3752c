internal import Glibc

/// What this process has used of the processors.
package enum ProcessorTime {
    /// Of all threads together, since the start.
    package static var used: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// Of the thread that asks, since its start.
    package static var usedByThread: Duration { time(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
