internal import Glibc

/// CPU time: user and system time together.
package enum ProcessorTime {
    /// CPU time of all threads of the process since its start.
    package static var used: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// CPU time of the calling thread since its start.
    package static var usedByThread: Duration { time(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
