internal import PipCompose

/// Decides when a condition fires a trigger: once each time that it has held for long enough, and not too often.
struct TriggerGate {
    /// The time for which the condition must hold.
    let hold: Duration
    /// The least time between two firings.
    let distance: Duration
    /// The time at which the condition began; nil while it does not hold.
    private var since: Timestamp?
    /// True when the trigger has fired since the condition began.
    private var hasFired = false
    private var last: Timestamp?

    init(hold: Duration, distance: Duration) { (self.hold, self.distance) = (hold, distance) }

    /// True while the condition holds.
    var isHolding: Bool { since != nil }

    /// Takes the condition's state at a time.
    ///
    /// - Returns: True when the trigger fires.
    mutating func fires(_ holds: Bool, at now: Timestamp) -> Bool {
        guard holds else {
            (since, hasFired) = (nil, false)
            return false
        }
        let begun = since ?? now
        since = begun
        guard !hasFired, begun.duration(to: now) >= hold else { return false }
        if let last, last.duration(to: now) < distance { return false }
        (hasFired, last) = (true, now)
        return true
    }
}
