/// Tracks the level of one sensor over time.
///
/// A rise to critical or higher counts at once; a rise to a lower level needs confirmation by a second sample. A fall
/// counts at once, because the governor delays the effects of a fall.
struct LevelTracker: Sendable {
    private(set) var level = PressureLevel.nominal
    /// A higher level that one sample has reached and the next must confirm; nil for none.
    private var seen: PressureLevel?
    /// True while a higher level waits for confirmation by a second sample.
    var isUnsure: Bool { seen != nil }

    /// - Parameters:
    ///   - reached: The highest level whose threshold the sample reaches.
    ///   - kept: The highest level that hysteresis keeps; at least `reached`.
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
