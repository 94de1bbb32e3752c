package import PipCompose
package import PipInputs

/// Follows the causes of a running composition's triggers, and starts their actions.
package actor TriggerWatch {
    /// A trigger with the state of its condition.
    private struct Armed {
        /// The number that tells the trigger from an equal one that an earlier configuration had.
        let id: Int
        let trigger: TriggerArgument
        var gate: TriggerGate
        let motion: MotionReading?
        let actions: TriggerActions
        /// True while the trigger's actions are performed.
        var isBusy = false
        /// The number of firings so far.
        var count = 0
        /// The number of firings that came while actions were performed, since the last message about them.
        var leftOut = 0
    }

    /// The outcome of an action, for messages.
    package enum Report: Sendable, Equatable {
        case done(String)
        case failed(String)
        /// A line of a program's output.
        case printed(String)
        /// The device of a trigger cannot be read, and is tried again.
        case missing(String)
        /// The device of a trigger is read, after it could not be.
        case back(String)
    }

    /// The time between two looks at the configuration's triggers, where no condition has a shorter one.
    private static let interval = Duration.seconds(1)

    private let live: LiveRig
    private let clock: MonotonicClock
    private let tell: @Sendable (Report) -> Void
    private let lines: @Sendable () -> AsyncStream<String>
    private var inputs: TriggerInputs
    private var armed: [Armed] = []
    /// The number of triggers that were armed so far.
    private var armedCount = 0
    /// The composition's revision when its triggers were last looked at.
    private var revision: Int?

    /// - Parameters:
    ///   - live: The composition.
    ///   - clock: The session's clock.
    ///   - devices: The machine's keys, lines and accelerometers.
    ///   - lines: Begins to read lines of text; called when the first trigger waits for one, and never again.
    ///   - tell: Takes sentences about each action but the marking of a moment, which is an event of the session.
    package init(
        _ live: LiveRig, clock: MonotonicClock = MonotonicClock(), devices: any InputDevices = KernelInputs(),
        lines: @escaping @Sendable () -> AsyncStream<String> = { AsyncStream { $0.finish() } },
        tell: @escaping @Sendable (Report) -> Void
    ) {
        (self.live, self.clock, self.lines, self.tell) = (live, clock, lines, tell)
        inputs = TriggerInputs(devices, clock: clock, tell: tell)
    }

    /// Checks the conditions until the task is cancelled.
    ///
    /// A reload of the configuration may change the triggers meanwhile. At the end, messages and programs that are on
    /// their way have a few seconds.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.takeFirings() }
            var readsLines = false
            while !Task.isCancelled {
                arm()
                if !readsLines, armed.contains(where: { $0.trigger.cause == .line }) {
                    readsLines = true
                    group.addTask { await self.takeLines() }
                }
                let interval = armed.compactMap(\.trigger.cause.interval).min()
                if interval != nil { check() }
                try? await Task.sleep(for: interval ?? Self.interval)
            }
            group.cancelAll()
        }
        inputs.follow([])
        let actions = armed.map(\.actions)
        // The present task is cancelled, and a task of its own is not.
        await Task {
            await withTaskGroup(of: Void.self) { group in
                for one in actions { group.addTask { await one.end() } }
            }
        }.value
    }

    private func takeLines() async { for await line in lines() { take(line: line) } }

    /// Starts the actions of triggers that devices have fired.
    private func takeFirings() async {
        for await firing in inputs.firings {
            guard let index = armed.firstIndex(where: { $0.trigger == firing.trigger }) else { continue }
            fire(index, firing.reason, at: firing.time)
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
        inputs.follow(triggers)
        armed = triggers.map { trigger in
            if let known = armed.first(where: { $0.trigger == trigger }) { return known }
            var motion: MotionReading?
            if case .motion(let picture, _) = trigger.cause {
                motion = MotionReading(picture, of: live, clock: clock) { [weak self] in await self?.check() }
            }
            armedCount += 1
            return Armed(
                id: armedCount, trigger: trigger, gate: TriggerGate(hold: trigger.hold, distance: trigger.distance),
                motion: motion,
                actions: TriggerActions(of: trigger, live, tell: tell))
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
        let (id, trigger, actions) = (armed[index].id, armed[index].trigger, armed[index].actions)
        armed[index].count += 1
        actions.mark(reason, at: time)
        guard !actions.areInstant else { return }
        guard !armed[index].isBusy else {
            armed[index].leftOut += 1
            return
        }
        armed[index].isBusy = true
        let firing = TriggerFiring(
            trigger.name, reason: reason, time: WallTime(of: time, by: clock), number: armed[index].count)
        Task {
            await actions.perform(firing)
            rest(id)
        }
    }

    /// Notes that the actions of a trigger are done.
    private func rest(_ id: Int) {
        guard let index = armed.firstIndex(where: { $0.id == id }) else { return }
        let lost = armed[index].leftOut
        (armed[index].isBusy, armed[index].leftOut) = (false, 0)
        guard lost > 0 else { return }
        tell(
            .failed(
                "\(armed[index].trigger.name): fired before its last actions were done, so these were left out: \(lost)"
            ))
    }
}
