/// A change of the machine's pressure level, or of the mitigations in force.
public struct PressureEvent: Sendable, Hashable, CustomStringConvertible {
    /// The time since the first drawn frame; zero before that frame.
    public var time: Duration
    /// The pressure level from now on.
    public var level: PressureLevel
    /// The pressure level before the change.
    public var previousLevel: PressureLevel
    /// The factors of the pressure, each with its level.
    public var factors: [PressureFactor: PressureLevel]
    /// The sensor readings above the nominal level, the worst first.
    public var readings: [PressureReading]
    /// The mitigations that were applied.
    public var taken: [PressureMitigation]
    /// The mitigations that were ended.
    public var restored: [PressureMitigation]
    /// The output rate before the change.
    public var rateBefore: FrameRate
    /// The output rate from now on.
    public var rateAfter: FrameRate

    public var description: String {
        var text = "pressure \(level)"
        if level != previousLevel { text += ", it was \(previousLevel)" }
        if let worst = readings.first { text += " (\(worst))" }
        if !taken.isEmpty { text += "; mitigations taken: \(taken.map(\.description).joined(separator: ", "))" }
        if !restored.isEmpty { text += "; mitigations ended: \(restored.map(\.description).joined(separator: ", "))" }
        return text
    }
}

extension PressureEvent {
    init(_ decision: PressureDecision, at time: Duration, rateBefore: FrameRate, rateAfter: FrameRate) {
        self.init(
            time: time, level: decision.state.level, previousLevel: decision.previousLevel,
            factors: decision.state.factors, readings: decision.state.readings.filter { $0.level > .nominal },
            taken: decision.taken, restored: decision.restored, rateBefore: rateBefore, rateAfter: rateAfter)
    }
}
