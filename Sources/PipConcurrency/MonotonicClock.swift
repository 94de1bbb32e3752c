internal import CPlatform
public import PipFrames

/// The clock of frames' timestamps: `CLOCK_MONOTONIC`, or a test's virtual time.
///
/// `CLOCK_MONOTONIC` stops while the machine sleeps.
///
/// Objects that wait receive their clock from their creator, so that tests can run them in `VirtualTime`.
public struct MonotonicClock: Sendable {
    /// The virtual time of a test; nil for `CLOCK_MONOTONIC`.
    package let virtual: VirtualTime?

    /// Creates the machine's clock, `CLOCK_MONOTONIC`.
    public init() { virtual = nil }

    /// Creates a clock of virtual time.
    package init(_ virtual: VirtualTime) { self.virtual = virtual }

    /// The present time, comparable with the timestamps of frames.
    public var now: Timestamp {
        if let virtual { virtual.now } else { Timestamp(nanoseconds: pip_monotonic_nanoseconds()) }
    }

    /// Suspends the task until a deadline.
    ///
    /// - Parameter deadline: The time at which the task resumes. Returns at once when this time has passed.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Timestamp) async throws {
        if let virtual { return try await virtual.sleep(until: deadline) }
        try await Task.sleep(for: max(Duration.zero, now.duration(to: deadline)), clock: .suspending)
    }

    /// Suspends the task for a duration.
    ///
    /// - Parameter duration: The time for which the task is suspended.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}
