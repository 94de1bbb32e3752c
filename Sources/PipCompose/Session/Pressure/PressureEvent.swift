/// A change of the machine's pressure, and what was done about it.
public struct PressureEvent: Sendable, Hashable, CustomStringConvertible {
    /// When, counted from the session's start.
    public var time: Duration
    public var level: PressureLevel
    public var previousLevel: PressureLevel
    /// What presses, each with its level.
    public var factors: [PressureFactor: PressureLevel]
    /// What was read that is not nominal, the worst first.
    public var readings: [PressureReading]
    /// The measures that were taken.
    public var taken: [PressureMeasure]
    /// The measures that were taken back.
    public var restored: [PressureMeasure]
    /// Output frames a second before and from now on.
    public var rateBefore: FrameRate
    public var rateAfter: FrameRate

    public var description: String {
        var text = "pressure \(level)"
        if level != previousLevel { text += ", it was \(previousLevel)" }
        if let worst = readings.first { text += " (\(worst))" }
        if !taken.isEmpty { text += "; taken: \(taken.map(\.description).joined(separator: ", "))" }
        if !restored.isEmpty { text += "; taken back: \(restored.map(\.description).joined(separator: ", "))" }
        return text
    }
}
