/// The time until which a plan is right, with the request for the plan after it.
struct PlanLifetime {
    /// The longest wait for the next plan where files are read.
    ///
    /// Generous, because the machine may be slow. The wait has an end, because the next plan may be one that cannot be
    /// made.
    private static let patience = Duration.seconds(60)

    /// The output time at which the plan ends; nil for a plan that stays right.
    private let end: Duration?
    /// The time at which the next plan was requested; nil before.
    private var requested: Timestamp?

    init(until end: Duration?) { self.end = end }

    /// Tells whether the plan has ended, and requests the next plan once.
    ///
    /// - Parameters:
    ///   - time: The output time.
    ///   - now: The time on the monotonic clock.
    ///   - request: Called once, when the plan has ended.
    /// - Returns: True while the next plan is worth waiting for.
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
