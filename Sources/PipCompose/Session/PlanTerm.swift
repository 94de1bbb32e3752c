/// Until when a plan is right, and whether the next one was asked for.
struct PlanTerm {
    private let until: Duration?
    private var asked: Timestamp?

    /// The longest wait of files' frames for the next plan, however slow the machine: a plan that cannot be made must
    /// not end them.
    private static let patience = Duration.seconds(60)

    init(until: Duration?) { self.until = until }

    /// True when another plan is right at a time, and worth waiting for.
    ///
    /// `ask`: Asks for it, once.
    mutating func isOver(at time: Duration, now: Timestamp, _ ask: () -> Void) -> Bool {
        guard let until, time >= until else { return false }
        guard let asked else {
            asked = now
            ask()
            return true
        }
        return now < asked.advanced(by: Self.patience)
    }
}
