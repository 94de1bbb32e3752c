/// Why the monitor samples before its time.
enum EarlyWake: Equatable {
    /// A trip was crossed, or a cooling device changed.
    case thermal
    /// Zones, devices or trips themselves changed, or events were lost.
    case changedSensors
    /// Tasks wait for a resource.
    case stall
}

/// Something that can end the monitor's sleep.
protocol WakeSource: Sendable {
    /// What to poll, and for which events.
    var descriptor: Int32 { get }
    var events: Int32 { get }

    /// Takes what has come; does not block.
    ///
    /// - Parameter ready: What `poll` said.
    /// - Returns: Why to wake, nil when it is of no interest.
    /// - Throws: ``WakeSourceLost`` when it will never wake anyone again.
    mutating func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake?
}

/// A wake source that came to its end.
struct WakeSourceLost: Error {}
