/// What a governor has changed.
package struct PressureDecision: Sendable, Hashable {
    /// What the machine told.
    package var state: PressureState
    /// The level before.
    package var previousLevel: PressureLevel
    /// The measures that were taken now, in order.
    package var taken: [PressureMeasure]
    /// The measures that were taken back now.
    package var restored: [PressureMeasure]
    /// What is given up from now on.
    package var relief: PressureRelief
}
