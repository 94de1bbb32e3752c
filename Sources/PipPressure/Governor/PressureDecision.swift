/// A change made by a governor.
package struct PressureDecision: Sendable, Hashable {
    /// The state that led to it.
    package var state: PressureState
    /// The level before.
    package var previousLevel: PressureLevel
    /// The mitigations that were taken now, in order.
    package var taken: [PressureMitigation]
    /// The mitigations that were taken back now.
    package var restored: [PressureMitigation]
    /// The mitigations in force from now on.
    package var relief: PressureRelief
}
