package import PipFrames

/// Decides which mitigations of a policy are in force, from the machine's state.
///
/// A value without a clock: the same states at the same moments give the same decisions.
///
/// A level's mitigations are taken at once. They are taken back one at a time, in reverse, as long as the pressure does
/// not rise. When it gets too high again afterwards, one mitigation comes back, and further ones only if that does not
/// help. They then stay for long, so that the machine settles at a load that it can bear and seldom leaves it.
///
/// Source: the thermal governor `step_wise` of the Linux kernel, which also decides by level and trend.
package struct PressureGovernor: Sendable {
    package let policy: PressurePolicy
    /// The mitigations in force.
    package private(set) var relief = PressureRelief()
    /// The level of the latest state.
    package private(set) var level = PressureLevel.nominal
    /// The moment at which each step was taken; nil for steps not in force.
    private var takenAt: [Timestamp?]
    private var pressure = LevelHistory()
    private var harm = LevelHistory()
    private var lastTaken: Timestamp?
    private var lastRestored: Timestamp?
    /// The number of relapses after a restore, since the last long calm.
    private var relapses = 0
    /// The end of the time after a relapse in which no mitigation is taken back.
    private var heldUntil: Timestamp?

    package init(_ policy: PressurePolicy) {
        self.policy = policy
        takenAt = Array(repeating: nil, count: policy.steps.count)
    }

    /// Advances the governor by a state.
    ///
    /// - Parameters:
    ///   - state: The machine's state.
    ///   - now: The present moment.
    ///   - isIdle: Returns true for a mitigation that would change nothing. It is taken, and taken back, together with
    ///     the next one, so that nobody waits for its effect.
    /// - Returns: The change; nil when neither the level nor a mitigation has changed.
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

    // MARK: Taking

    /// Takes the mitigations of the present level.
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

    // MARK: Taking back

    /// Takes the last mitigation back when it is no longer needed, together with idle ones behind it.
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

    /// Forgets relapses after a long calm.
    private mutating func forgetRelapses(_ now: Timestamp) {
        guard takenAt.allSatisfy({ $0 == nil }), let calm = pressure.left(.fair),
            calm.duration(to: now) >= policy.timing.longestHold
        else { return }
        relapses = 0
        lastRestored = nil
    }
}

/// The moments at which each level was reached and left.
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

    /// The moment since which the level has been this one or higher; nil when it is lower.
    func reached(_ level: PressureLevel) -> Timestamp? { since[level] }

    /// The moment since which the level has been lower; nil when it is not.
    func left(_ level: PressureLevel) -> Timestamp? { below[level] }
}
