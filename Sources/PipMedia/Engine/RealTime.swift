#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames

extension MonotonicClock {
    /// Converts a deadline of this clock into real time.
    ///
    /// Encoders, disks and servers work in real time, even in tests whose sessions run in virtual time.
    func realTime(of deadline: Timestamp) -> Timestamp {
        guard virtual != nil, deadline != .distantFuture else { return deadline }
        return MonotonicClock().now.advanced(by: now.duration(to: deadline))
    }

    /// Blocks the thread for a short time, in real time.
    func block(for duration: Duration) { usleep(UInt32(max(0, duration.nanoseconds) / 1000)) }
}
#endif
