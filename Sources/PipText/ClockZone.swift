/// Which time of day a clock shows.
public enum ClockZone: Sendable, Hashable {
    /// The machine's, with its summer time; `TZ` chooses another one for the process.
    case local
    case utc
    /// So far ahead of UTC, in minutes: negative for the west.
    case offset(minutes: Int)
}
