#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames

extension MonotonicClock {
    /// The machine's time at which a moment of this clock is due: encoders, disks and servers live in real time, also
    /// in tests whose sessions do not.
    func realTime(of deadline: Timestamp) -> Timestamp {
        guard virtual != nil, deadline != .distantFuture else { return deadline }
        return MonotonicClock().now.advanced(by: now.duration(to: deadline))
    }

    /// Blocks the thread for a short real time.
    func block(for duration: Duration) { usleep(UInt32(max(0, duration.nanoseconds) / 1000)) }
}
#endif
