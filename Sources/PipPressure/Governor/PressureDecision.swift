/// A change made by a governor.
package struct PressureDecision: Sendable, Hashable {
    /// The state that led to it.
    package var state: PressureState
    /// The level before.
    package var previousLevel: PressureLevel
    /// The measures that were taken now, in order.
    package var taken: [PressureMeasure]
    /// The measures that were taken back now.
    package var restored: [PressureMeasure]
    /// The measures in force from now on.
    package var relief: PressureRelief
}
