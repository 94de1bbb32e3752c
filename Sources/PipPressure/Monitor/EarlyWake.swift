/// The reason for an early sample.
enum EarlyWake: Equatable {
    /// A trip was crossed, or a cooling device changed.
    case thermal
    /// Zones, devices or trips themselves changed, or events were lost.
    case changedSensors
    /// Tasks wait for a resource.
    case stall
}

/// An event source that can end the monitor's sleep.
protocol WakeSource: Sendable {
    /// The descriptor to poll.
    var descriptor: Int32 { get }
    var events: Int32 { get }

    /// Consumes the pending events without blocking.
    ///
    /// - Parameter ready: The `revents` of `poll`.
    /// - Returns: The reason to wake; nil when the events are irrelevant.
    /// - Throws: ``WakeSourceLost`` when the source is dead.
    mutating func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake?
}

/// The error of a dead wake source.
struct WakeSourceLost: Error {}
