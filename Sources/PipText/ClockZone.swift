/// The time zone of a clock.
///
/// Set a zone when a camera records for viewers in another time zone.
public enum ClockZone: Sendable, Hashable {
    /// The machine's time zone, with daylight saving time. The environment variable `TZ` overrides it for the process.
    case local
    case utc
    /// A fixed offset from UTC in minutes, negative to the west.
    case offset(minutes: Int)
}
