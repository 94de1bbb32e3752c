/// What a governor has changed.
public struct PressureDecision: Sendable, Hashable {
    /// What the machine told.
    public var state: PressureState
    /// The level before.
    public var previousLevel: PressureLevel
    /// The measures that were taken now, in order.
    public var taken: [PressureMeasure]
    /// The measures that were taken back now.
    public var restored: [PressureMeasure]
    /// What is given up from now on.
    public var relief: PressureRelief
}
