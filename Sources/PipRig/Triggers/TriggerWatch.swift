package import PipCompose

/// Follows the causes of a running composition's triggers, and starts their actions.
package actor TriggerWatch {
    /// A trigger with the state of its condition.
    private struct Armed {
        let trigger: TriggerArgument
        var gate: TriggerGate
        let motion: MotionReading?
        /// True while the trigger's action runs.
        var isBusy = false
    }

    /// The outcome of an action, for messages.
    package enum Report: Sendable, Equatable {
        case done(String)
        case failed(String)
    }

    /// The time between two checks of the conditions.
    private static let interval = Duration.milliseconds(66)

    private let live: LiveRig
    private let clock: MonotonicClock
    private let tell: @Sendable (Report) -> Void
    private var armed: [Armed] = []
    /// The composition's revision when its triggers were last looked at.
    private var revision: Int?

    /// - Parameters:
    ///   - live: The composition.
    ///   - clock: The session's clock.
    ///   - tell: Takes a sentence about each action but the marking of a moment, which is an event of the session.
    package init(
        _ live: LiveRig, clock: MonotonicClock = MonotonicClock(), tell: @escaping @Sendable (Report) -> Void
    ) {
        (self.live, self.clock, self.tell) = (live, clock, tell)
    }

    /// Checks the conditions until the task is cancelled.
    ///
    /// A reload of the configuration may change the triggers meanwhile.
    package func run() async {
        while !Task.isCancelled {
            arm()
            if !armed.isEmpty { check() }
            try? await Task.sleep(for: armed.isEmpty ? .seconds(1) : Self.interval)
        }
    }

    /// Fires the triggers that wait for a line of text.
    package func take(line: String) {
        arm()
        let now = clock.now
        for index in armed.indices where armed[index].trigger.cause == .line {
            _ = armed[index].gate.fires(false, at: now)
            if armed[index].gate.fires(true, at: now) { fire(index, line, at: now) }
        }
    }

    private func arm() {
        let snapshot = live.snapshot
        guard snapshot.revision != revision else { return }
        revision = snapshot.revision
        let triggers = snapshot.rig.triggers
        guard triggers != armed.map(\.trigger) else { return }
        armed = triggers.map { trigger in
            if let known = armed.first(where: { $0.trigger == trigger }) { return known }
            var motion: MotionReading?
            if case .motion(let picture, _) = trigger.cause {
                motion = MotionReading(picture, of: live, clock: clock)
            }
            return Armed(
                trigger: trigger, gate: TriggerGate(hold: trigger.hold, distance: trigger.distance), motion: motion)
        }
    }

    private func check() {
        let (readings, now) = (TriggerReadings(live), clock.now)
        for index in armed.indices {
            let reason = readings.reason(
                for: armed[index].trigger.cause, motion: armed[index].motion?.share ?? 0,
                isHolding: armed[index].gate.isHolding)
            if armed[index].gate.fires(reason != nil, at: now) { fire(index, reason, at: now) }
        }
    }

    // MARK: Actions

    private func fire(_ index: Int, _ reason: String?, at time: Timestamp) {
        let trigger = armed[index].trigger
        if trigger.action == .clip {
            live.session.mark(trigger.name, reason: reason, at: time)
            return
        }
        guard !armed[index].isBusy else { return tell(.failed("\(trigger.name): its last action is not done yet")) }
        armed[index].isBusy = true
        Task {
            await perform(trigger, reason)
            if let index = armed.firstIndex(where: { $0.trigger == trigger }) { armed[index].isBusy = false }
        }
    }

    private func perform(_ trigger: TriggerArgument, _ reason: String?) async {
        let cause = reason.map { "\(trigger.name) (\($0))" } ?? trigger.name
        switch trigger.action {
        case .clip: break
        case .split:
            let count = live.snapshot.outputs.values.count { (try? $0.split()) != nil }
            tell(count > 0 ? .done("\(cause): a new file begins") : .failed("\(cause): no recording is in parts"))
        case .still:
            for still in live.rig.stills {
                do throws(SessionError) { tell(.done("\(cause): \(try await live.take(still)): taken")) } catch {
                    tell(.failed("\(cause): \(error)"))
                }
            }
        case .scene(let name):
            do {
                try await live.change { rig in try rig.show(scene: name) }
                tell(.done("\(cause): the scene \(name) is shown"))
            } catch { tell(.failed("\(cause): \(error)")) }
        }
    }
}
