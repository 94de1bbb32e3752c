internal import PipFrames

/// The fault of a driver's timestamps.
public enum TimestampProblem: String, Sendable, CaseIterable {
    case notMonotonic = "they are not of the monotonic clock"
    case inTheFuture = "they lie in the future"
    case backwards = "they repeat or go back"
    case tooOld = "they lie far in the past"
}

/// Validates the driver's timestamps; from the first invalid one on, frames are stamped on arrival.
///
/// A timestamp says when a frame's exposure began: those of drivers that stamp its end are taken back by what lies
/// between. The timestamps returned are strictly increasing.
struct TimestampPolicy {
    /// Clocks that are computed, as USB cameras' are, may be ahead by this much.
    private static let tolerance = Duration.milliseconds(2)
    /// No driver keeps a frame so long.
    private static let longestDelay = Duration.seconds(10)

    /// From the beginning of the exposure to the end of the frame.
    private let span: Duration
    private var last: Timestamp?
    private var lastOfDriver: Timestamp?
    /// The fault for which the driver's timestamps are ignored; nil while they are used.
    private(set) var problem: TimestampProblem?

    /// - Parameter span: From the beginning of the exposure to the end of the frame.
    init(span: Duration = .zero) { self.span = span }

    /// The timestamp for a frame.
    ///
    /// - Parameters:
    ///   - driver: The driver's; nil when it is of another clock.
    ///   - isOfEnd: Whether the driver stamps the frame's end.
    ///   - now: The moment of arrival.
    /// - Returns: The timestamp, and whether it is the moment of arrival.
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

    /// Gives the driver another chance, as when a stream is started again.
    mutating func streamRestarted() {
        problem = nil
        lastOfDriver = nil
    }

    private static func problem(_ driver: Timestamp?, now: Timestamp, last: Timestamp?) -> TimestampProblem? {
        guard let driver else { return .notMonotonic }
        // Compared without subtracting: a wrapped clock may be anywhere.
        if driver > now.advanced(by: tolerance) { return .inTheFuture }
        if driver < now.advanced(by: .zero - longestDelay) { return .tooOld }
        if let last, driver <= last { return .backwards }
        return nil
    }
}
