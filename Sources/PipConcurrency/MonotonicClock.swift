internal import CPlatform
public import PipFrames

/// `CLOCK_MONOTONIC`, the clock of frames' timestamps.
///
/// It stands still while the machine sleeps.
///
/// Objects that wait take their clock from their creator, so that tests can run them in `VirtualTime`.
public struct MonotonicClock: Sendable {
    /// The virtual time of a test; nil for the machine's time.
    package let virtual: VirtualTime?

    /// Creates the machine's clock.
    public init() { virtual = nil }

    /// Creates a clock of virtual time.
    package init(_ virtual: VirtualTime) { self.virtual = virtual }

    /// The present moment.
    public var now: Timestamp {
        if let virtual { virtual.now } else { Timestamp(nanoseconds: pip_monotonic_nanoseconds()) }
    }

    /// Suspends until a moment.
    ///
    /// - Parameter deadline: The moment; one that has passed suspends for no time.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Timestamp) async throws {
        if let virtual { return try await virtual.sleep(until: deadline) }
        try await Task.sleep(for: max(Duration.zero, now.duration(to: deadline)), clock: .suspending)
    }

    /// Suspends for a time.
    ///
    /// - Parameter duration: The length of the suspension.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}
