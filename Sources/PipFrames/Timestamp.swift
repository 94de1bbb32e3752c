/// A time of `CLOCK_MONOTONIC`, the clock of V4L2's timestamps.
///
/// The timestamps of frames from files count from the source's start instead.
public struct Timestamp: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// The number of nanoseconds since the clock's start.
    public var nanoseconds: Int64

    /// Creates a timestamp from the nanoseconds since the clock's start.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The time of the clock's start.
    public static let zero = Timestamp(nanoseconds: 0)

    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(nanoseconds: nanoseconds + duration.nanoseconds)
    }

    public func duration(to other: Timestamp) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The seconds with six decimals, as in the kernel's log.
    public var description: String {
        let micros = nanoseconds / 1000
        let fraction = String(abs(micros % 1_000_000))
        return
            "\(nanoseconds < 0 ? "-" : "")\(abs(micros / 1_000_000)).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// This duration in seconds, with nanosecond precision.
    package var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
