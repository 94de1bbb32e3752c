package import PipFrames

/// Decides which mitigations of a policy are in force, from the machine's state.
///
/// A value without a clock: the same states at the same times give the same decisions.
///
/// The governor applies all mitigations of a level at once, except those with a delay. The governor reverses
/// mitigations one at a time, the last one first, as long as the pressure does not rise. If the pressure rises again
/// after a reversal (a relapse), but stays below critical, the governor applies that one mitigation again, and further
/// ones only if that does not help. The governor then reverses nothing for a long time, so that the machine settles at
/// a load that it can bear.
///
/// Source: the thermal governor `step_wise` of the Linux kernel, which also decides by level and trend.
package struct PressureGovernor: Sendable {
    package let policy: PressurePolicy
    /// The combined effect of the mitigations in force.
    package private(set) var relief = PressureRelief()
    /// The pressure level of the latest state.
    package private(set) var level = PressureLevel.nominal
    /// The time at which each of the policy's steps was applied; nil for steps that are not in force.
    private var takenAt: [Timestamp?]
    private var pressure = LevelHistory()
    private var harm = LevelHistory()
    private var lastTaken: Timestamp?
    private var lastRestored: Timestamp?
    /// The number of relapses since the last long period without pressure.
    private var relapses = 0
    /// The time until which no mitigation is reversed, after a relapse; nil before the first relapse.
    private var heldUntil: Timestamp?

    package init(_ policy: PressurePolicy) {
        self.policy = policy
        takenAt = Array(repeating: nil, count: policy.steps.count)
    }

    /// Updates the mitigations for the machine's present state.
    ///
    /// - Parameters:
    ///   - state: The machine's state.
    ///   - now: The present time.
    ///   - isIdle: Returns true for a mitigation that would change nothing. The governor applies and reverses such a
    ///     mitigation together with the next one, because waiting for its effect would be useless.
    /// - Returns: The change; nil when the level is the same, and no mitigations have changed except idle ones.
    package mutating func step(
        _ state: PressureState, now: Timestamp, isIdle: (PressureMitigation) -> Bool = { _ in false }
    ) -> PressureDecision? {
        let previous = level
        level = state.level
        pressure.note(state.level, at: now)
        harm.note(state.harm, at: now)
        forgetRelapses(now)
        let taken = take(state.trend, now, isIdle)
        let restored = taken.isEmpty ? restore(state.trend, now, isIdle) : []
        relief = policy.relief(of: Set(takenAt.indices.filter { takenAt[$0] != nil }))
        func told(_ steps: [Int]) -> [PressureMitigation] {
            steps.map { policy.steps[$0].mitigation }.filter { !isIdle($0) }
        }
        let decision = PressureDecision(
            state: state, previousLevel: previous, taken: told(taken), restored: told(restored), relief: relief)
        return level != previous || !decision.taken.isEmpty || !decision.restored.isEmpty ? decision : nil
    }

    // MARK: Applying mitigations

    /// Applies the mitigations of the present level; after a relapse below critical, only the next mitigation.
    ///
    /// Returns the indices of the policy's steps that were applied.
    private mutating func take(
        _ trend: PressureTrend, _ now: Timestamp, _ isIdle: (PressureMitigation) -> Bool
    ) -> [Int] {
        var wanted = takenAt.indices.filter { takenAt[$0] == nil && isWanted($0, now) }
        if wanted.isEmpty { return [] }
        if let lastRestored, lastRestored.duration(to: now) < policy.timing.relapseWindow {
            let isFirst = lastTaken.map { $0 < lastRestored } ?? true
            if level < .critical {
                guard isFirst || isDue(lastTaken, after: policy.timing.dwell, now) && trend != .falling else {
                    return []
                }
                let first = wanted.firstIndex { !isIdle(policy.steps[$0].mitigation) } ?? wanted.count - 1
                wanted = Array(wanted[...first])
            }
            if isFirst { relapses += 1 }
            heldUntil = now.advanced(by: policy.timing.hold(afterRelapses: relapses))
        }
        for index in wanted { takenAt[index] = now }
        lastTaken = now
        return wanted
    }

    private func isWanted(_ index: Int, _ now: Timestamp) -> Bool {
        let step = policy.steps[index]
        guard let since = history(of: step).reached(step.level) else { return false }
        return since.duration(to: now) >= step.delay
    }

    private func history(of step: PressureStep) -> LevelHistory {
        step.mitigation.switchesCameraOff ? harm : pressure
    }

    // MARK: Reversing mitigations

    /// Reverses the last mitigation that is not idle, together with the idle ones after it.
    ///
    /// Reverses nothing while the pressure rises. Stops at a step whose level lasts, or whose delays have not passed.
    /// Returns the indices of the reversed steps.
    private mutating func restore(
        _ trend: PressureTrend, _ now: Timestamp, _ isIdle: (PressureMitigation) -> Bool
    ) -> [Int] {
        if trend == .rising { return [] }
        var restored: [Int] = []
        for index in takenAt.indices.reversed() {
            guard let taken = takenAt[index] else { continue }
            guard mayRestore(policy.steps[index], taken, now) else { break }
            restored.append(index)
            if !isIdle(policy.steps[index].mitigation) { break }
        }
        for index in restored { takenAt[index] = nil }
        if !restored.isEmpty { lastRestored = now }
        return restored
    }

    private func mayRestore(_ step: PressureStep, _ taken: Timestamp?, _ now: Timestamp) -> Bool {
        let timing = policy.timing
        guard history(of: step).left(step.level) != nil, isDue(taken, after: timing.dwell, now),
            isDue(lastRestored, after: timing.restoreInterval, now)
        else { return false }
        if let heldUntil, now < heldUntil { return false }
        guard step.mitigation.switchesCameraOff else { return true }
        return harm.left(.serious).map { $0.duration(to: now) >= timing.cameraHold } ?? false
    }

    private func isDue(_ moment: Timestamp?, after time: Duration, _ now: Timestamp) -> Bool {
        moment.map { $0.duration(to: now) >= time } ?? true
    }

    /// Resets the number of relapses after a long period without pressure.
    private mutating func forgetRelapses(_ now: Timestamp) {
        guard takenAt.allSatisfy({ $0 == nil }), let calm = pressure.left(.fair),
            calm.duration(to: now) >= policy.timing.longestHold
        else { return }
        relapses = 0
        lastRestored = nil
    }
}

/// The times at which each pressure level was reached and left.
private struct LevelHistory: Sendable {
    private var since: [PressureLevel: Timestamp] = [:]
    private var below: [PressureLevel: Timestamp] = [:]

    mutating func note(_ level: PressureLevel, at now: Timestamp) {
        for other in PressureLevel.allCases {
            if level >= other {
                if since[other] == nil { since[other] = now }
                below[other] = nil
            } else {
                if below[other] == nil { below[other] = now }
                since[other] = nil
            }
        }
    }

    /// The time since which the level has been `level` or higher; nil when the level is lower now.
    func reached(_ level: PressureLevel) -> Timestamp? { since[level] }

    /// The time since which the level has been below `level`; nil when the level is not lower now.
    func left(_ level: PressureLevel) -> Timestamp? { below[level] }
}
