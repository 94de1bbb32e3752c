internal import Glibc

/// What this process has used of the processors.
enum ProcessorTime {
    /// Of all threads together, since the start.
    static var used: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
