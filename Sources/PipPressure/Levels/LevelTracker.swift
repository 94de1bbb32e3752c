/// The level of one source over time: rises at once when it is bad, on a second look when it is not, and falls at once.
///
/// How fast a falling level has effects is the governor's business.
struct LevelTracker: Sendable {
    private(set) var level = PressureLevel.nominal
    /// A higher level that was seen once.
    private var seen: PressureLevel?
    /// Whether a higher level waits for a second look.
    var isUnsure: Bool { seen != nil }

    /// - Parameters:
    ///   - reached: The highest level whose threshold is reached.
    ///   - kept: The highest level that is not left yet; never below `reached`.
    mutating func update(reached: PressureLevel, kept: PressureLevel) {
        if reached > level {
            if reached >= .critical {
                level = reached
                seen = nil
            } else if let before = seen {
                level = min(before, reached)
                seen = reached > level ? reached : nil
            } else {
                seen = reached
            }
        } else {
            seen = nil
            level = min(level, max(kept, reached))
        }
    }
}
