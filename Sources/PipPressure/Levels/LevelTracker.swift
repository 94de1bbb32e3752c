/// The level of one source over time: rises at once when it is bad, on a second look when it is not, and falls at once.
///
/// The delay before a falling level has effects is the governor's.
struct LevelTracker: Sendable {
    private(set) var level = PressureLevel.nominal
    /// A higher level that was seen once.
    private var seen: PressureLevel?
    /// True while a higher level awaits confirmation by a second sample.
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
