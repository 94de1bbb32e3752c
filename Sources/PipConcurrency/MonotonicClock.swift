internal import CPlatform
public import PipFrames

/// `CLOCK_MONOTONIC` as a clock: its instants compare with the timestamps of frames.
public struct MonotonicClock: Sendable {
    public init() {}

    public var now: Timestamp { Timestamp(nanoseconds: pip_monotonic_nanoseconds()) }
}
