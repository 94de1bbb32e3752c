/// A change made by a governor.
package struct PressureDecision: Sendable, Hashable {
    /// The state that led to it.
    package var state: PressureState
    /// The level before.
    package var previousLevel: PressureLevel
    /// The mitigations that this change takes, in order.
    package var taken: [PressureMitigation]
    /// The mitigations that this change takes back.
    package var restored: [PressureMitigation]
    /// The mitigations in force from now on.
    package var relief: PressureRelief
}
