/// The reason for a sample before the interval has passed.
enum EarlyWake: Equatable {
    /// A temperature crossed a trip point, or a cooling device changed its state.
    case thermal
    /// Zones, devices or trip points came, went or changed, or events were lost.
    case changedSensors
    /// Tasks have waited too long for a resource.
    case stall
}

/// A source of kernel events that can end the monitor's sleep.
protocol WakeSource: Sendable {
    /// The file descriptor to poll.
    var descriptor: Int32 { get }
    var events: Int32 { get }

    /// Consumes the pending events without blocking.
    ///
    /// - Parameter ready: The descriptor's `revents` from `poll`.
    /// - Returns: The reason to take a sample; nil when the events are irrelevant.
    /// - Throws: ``WakeSourceLost`` when the source will deliver no more events.
    mutating func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake?
}

/// The error of a wake source that will deliver no more events.
struct WakeSourceLost: Error {}
