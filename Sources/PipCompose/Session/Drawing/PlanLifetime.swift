/// The output time until which a plan is valid, and the request for the next plan.
struct PlanLifetime {
    /// The longest wait for the next plan in an offline session.
    ///
    /// Generous, because the machine may be slow. The wait has an end, because the next plan may fail.
    private static let patience = Duration.seconds(60)

    /// The output time at which the plan becomes invalid; nil for a plan without an end.
    private let end: Duration?
    /// The time at which the next plan was requested; nil before the request.
    private var requested: Timestamp?

    init(until end: Duration?) { self.end = end }

    /// True when the plan has ended and an offline loop should wait for the next one.
    ///
    /// Requests the next plan once.
    ///
    /// - Parameters:
    ///   - time: The output time.
    ///   - now: The time on the monotonic clock.
    ///   - request: Called once, when the plan has ended.
    /// - Returns: True while an offline loop should wait for the next plan; false before the plan's end, and after a
    ///   minute's wait.
    mutating func hasEnded(at time: Duration, now: Timestamp, _ request: () -> Void) -> Bool {
        guard let end, time >= end else { return false }
        guard let requested else {
            requested = now
            request()
            return true
        }
        return now < requested.advanced(by: Self.patience)
    }
}
