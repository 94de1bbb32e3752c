internal import Glibc

/// CPU time: the sum of user and system time.
package enum ProcessorTime {
    /// The CPU time of all threads of the process since the process started.
    package static var used: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// The CPU time of the calling thread since it started.
    package static var usedByThread: Duration { time(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
