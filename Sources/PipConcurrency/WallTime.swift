internal import Glibc
package import PipFrames

/// A moment of the calendar.
///
/// Jumps when the machine's clock is set.
package struct WallTime: Hashable, Sendable {
    /// The time since 1970-01-01, UTC.
    package let sinceEpoch: Duration

    package init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// The present moment.
    package static var now: WallTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    /// The calendar moment of a clock's timestamp.
    ///
    /// The two clocks are read one after the other. When the thread is interrupted in between, they are read again, and
    /// the reading with the shortest gap counts.
    ///
    /// - Parameters:
    ///   - moment: The timestamp.
    ///   - clock: The clock of the timestamp.
    package init(of moment: Timestamp, by clock: MonotonicClock) {
        var best = (gap: Duration.seconds(3600), time: WallTime.now)
        for _ in 0..<8 where best.gap > .microseconds(100) {
            let before = clock.now
            let wall = WallTime.now
            let gap = before.duration(to: clock.now)
            if gap < best.gap { best = (gap, wall - moment.duration(to: before)) }
        }
        self = best.time
    }

    /// The moment that is earlier by `age`.
    package static func - (time: WallTime, age: Duration) -> WallTime {
        WallTime(sinceEpoch: time.sinceEpoch - age)
    }

    /// Milliseconds of its second, 0…999.
    package var milliseconds: Int { Int(sinceEpoch.components.attoseconds / 1_000_000_000_000_000) }

    /// The moment in local time, in a format of `strftime`.
    ///
    /// - Parameter format: The format. Its result may have 256 bytes at most.
    /// - Returns: The text; empty when it would be longer.
    package func text(_ format: String) -> String {
        var local = unsafe tm()
        var seconds = time_t(sinceEpoch.components.seconds)
        unsafe localtime_r(&seconds, &local)
        var bytes = [CChar](repeating: 0, count: 256)
        let count = unsafe strftime(&bytes, bytes.count, format, &local)
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
