internal import PipFrames

/// The fault of a driver's timestamps.
public enum TimestampProblem: String, Sendable, CaseIterable {
    case notMonotonic = "they are not from the monotonic clock (CLOCK_MONOTONIC)"
    case inTheFuture = "they lie in the future"
    case backwards = "they repeat or go back"
    case tooOld = "they lie far in the past"
}

/// Validates the driver's timestamps, and determines the frames' timestamps.
///
/// From the first invalid timestamp on, frames get their time of arrival until the stream restarts.
///
/// The timestamps of drivers that mark the end of a frame are moved back, to the beginning of the exposure. The
/// resulting timestamps are strictly increasing.
struct TimestampPolicy {
    /// The time by which a timestamp may lie in the future, because drivers such as uvcvideo compute timestamps.
    private static let tolerance = Duration.milliseconds(2)
    /// The longest plausible time between a frame's timestamp and its arrival.
    private static let longestDelay = Duration.seconds(10)

    /// The time from the beginning of the exposure to the end of the frame.
    private let span: Duration
    private var last: Timestamp?
    private var lastOfDriver: Timestamp?
    /// The fault for which the driver's timestamps are ignored; nil while they are used.
    private(set) var problem: TimestampProblem?

    /// - Parameter span: The time from the beginning of the exposure to the end of the frame.
    init(span: Duration = .zero) { self.span = span }

    /// Determines the timestamp of a frame.
    ///
    /// - Parameters:
    ///   - driver: The driver's timestamp; nil when the driver uses another clock than `CLOCK_MONOTONIC`.
    ///   - isOfEnd: True when the driver's timestamp marks the end of the frame.
    ///   - now: The time of arrival.
    /// - Returns: The timestamp, and whether it is the time of arrival.
    mutating func stamp(
        _ driver: Timestamp?, isOfEnd: Bool = false, now: Timestamp
    ) -> (timestamp: Timestamp, isEstimated: Bool) {
        if problem == nil { problem = Self.problem(driver, now: now, last: lastOfDriver) }
        lastOfDriver = driver
        var stamp = now
        if problem == nil, let driver {
            stamp = min(driver, now)
            if isOfEnd { stamp = stamp.advanced(by: .zero - span) }
        }
        if let last, stamp <= last { stamp = last.advanced(by: .nanoseconds(1)) }
        last = stamp
        return (stamp, problem != nil)
    }

    /// Trusts the driver's timestamps again, because the stream has restarted.
    mutating func streamRestarted() {
        problem = nil
        lastOfDriver = nil
    }

    private static func problem(_ driver: Timestamp?, now: Timestamp, last: Timestamp?) -> TimestampProblem? {
        guard let driver else { return .notMonotonic }
        // Comparisons cannot overflow, unlike subtractions, when the driver's clock has wrapped.
        if driver > now.advanced(by: tolerance) { return .inTheFuture }
        if driver < now.advanced(by: .zero - longestDelay) { return .tooOld }
        if let last, driver <= last { return .backwards }
        return nil
    }
}
