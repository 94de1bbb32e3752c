internal import PipFrames

/// The fault of a driver's timestamps.
public enum TimestampProblem: String, Sendable, CaseIterable {
    case notMonotonic = "they are not of the monotonic clock"
    case inTheFuture = "they lie in the future"
    case backwards = "they repeat or go back"
    case tooOld = "they lie far in the past"
}

/// Validates the driver's timestamps.
///
/// From the first invalid one on, frames are stamped on arrival.
///
/// A timestamp marks the beginning of a frame's exposure, so those of drivers that mark its end are moved back. The
/// resulting timestamps are strictly increasing.
struct TimestampPolicy {
    /// The tolerated lead of computed clocks, such as those of USB cameras.
    private static let tolerance = Duration.milliseconds(2)
    /// The longest plausible delay of a frame in a driver.
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
    ///   - driver: The driver's timestamp; nil when it is of another clock.
    ///   - isOfEnd: True when the driver stamps the frame's end.
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
        // Comparing without subtraction is safe for a wrapped clock.
        if driver > now.advanced(by: tolerance) { return .inTheFuture }
        if driver < now.advanced(by: .zero - longestDelay) { return .tooOld }
        if let last, driver <= last { return .backwards }
        return nil
    }
}
