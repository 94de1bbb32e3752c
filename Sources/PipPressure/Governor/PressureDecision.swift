/// A change of level or mitigations, decided by a ``PressureGovernor``.
///
/// Mitigations that change nothing are left out.
package struct PressureDecision: Sendable, Hashable {
    /// The machine's state that led to the decision.
    package var state: PressureState
    /// The pressure level before the decision.
    package var previousLevel: PressureLevel
    /// The mitigations that the governor newly applies, in order.
    package var taken: [PressureMitigation]
    /// The mitigations that the governor reverses.
    package var restored: [PressureMitigation]
    /// The combined effect of all mitigations that are in force after the decision.
    package var relief: PressureRelief
}
