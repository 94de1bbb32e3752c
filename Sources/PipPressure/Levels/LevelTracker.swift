/// The level of one sensor over time.
///
/// It rises at once when the level is bad, after confirmation by a second sample when it is not, and falls at once.
///
/// The governor delays the effects of a falling level.
struct LevelTracker: Sendable {
    private(set) var level = PressureLevel.nominal
    /// A higher level that was seen once.
    private var seen: PressureLevel?
    /// True while a higher level awaits confirmation by a second sample.
    var isUnsure: Bool { seen != nil }

    /// - Parameters:
    ///   - reached: The highest level whose threshold is reached.
    ///   - kept: The highest level that is not left yet, at least `reached`.
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
