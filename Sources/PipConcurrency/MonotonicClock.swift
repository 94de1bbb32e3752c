internal import CPlatform
public import PipFrames

/// `CLOCK_MONOTONIC`, the clock of frames' timestamps.
///
/// It stands still while the machine sleeps.
public struct MonotonicClock: Sendable {
    /// The machine's monotonic clock.
    public init() {}

    /// The present moment.
    public var now: Timestamp { Timestamp(nanoseconds: pip_monotonic_nanoseconds()) }
}
