/// The time zone of a clock.
///
/// Use it for a camera that records for another place.
public enum ClockZone: Sendable, Hashable {
    /// The machine's zone, with its summer time. `TZ` chooses another one for the process.
    case local
    case utc
    /// The distance from UTC in minutes, negative for the west.
    case offset(minutes: Int)
}
