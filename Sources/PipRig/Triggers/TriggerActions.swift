internal import PipCompose
internal import PipSources

/// The actions of one trigger, with the threads of those that may take long.
struct TriggerActions: Sendable {
    /// The longest wait for the threads at the end of a run.
    private static let patience = Duration.seconds(2)

    private let trigger: TriggerArgument
    private let live: LiveRig
    private let tell: @Sendable (TriggerWatch.Report) -> Void
    /// The workers of the actions that have one, keyed by the action's place among all actions.
    private let workers: [Int: TriggerWorker]

    init(of trigger: TriggerArgument, _ live: LiveRig, tell: @escaping @Sendable (TriggerWatch.Report) -> Void) {
        (self.trigger, self.live, self.tell) = (trigger, live, tell)
        workers = trigger.actions.enumerated().reduce(into: [:]) { workers, action in
            workers[action.offset] = action.element.worker(for: trigger.name, tell: tell)
        }
    }

    /// True when a trigger only marks moments, which takes no time.
    var areInstant: Bool { trigger.actions.allSatisfy { $0 == .clip } }

    /// Marks a moment, if that is one of the actions.
    func mark(_ reason: String?, at time: Timestamp) {
        guard trigger.actions.contains(.clip) else { return }
        live.session.mark(trigger.name, reason: reason, at: time)
    }

    /// Performs the actions that take time, one after the other, or hands them to their workers.
    func perform(_ firing: TriggerFiring) async {
        var firing = firing
        for (index, action) in trigger.actions.enumerated() {
            if let worker = workers[index] {
                worker.add(firing)
                continue
            }
            for report in await reports(of: action) {
                switch report {
                case .done(let sentence):
                    firing.done.append(sentence)
                    if action != .clip { tell(.done("\(firing.subject): \(sentence)")) }
                case .failed(let reason): tell(.failed("\(firing.subject): \(reason)"))
                case .printed, .missing, .back: break
                }
            }
        }
    }

    /// Performs an action without a worker, and returns what was done.
    private func reports(of action: TriggerArgument.Action) async -> [TriggerWatch.Report] {
        switch action {
        case .clip: return [.done("a moment is marked")]
        case .split:
            let count = live.snapshot.outputs.values.count { (try? $0.split()) != nil }
            return [count > 0 ? .done("a new file begins") : .failed("no recording is in parts")]
        case .still:
            var reports: [TriggerWatch.Report] = []
            for still in live.rig.stills {
                reports.append(await Self.report { "\(try await live.take(still)): taken" })
            }
            return reports
        case .scene(let name):
            let report = await Self.report {
                try await live.change { rig in try rig.show(scene: name) }
                return "the scene \(name) is shown"
            }
            return [report]
        case .start(let name): return [await setPaused(name, false)]
        case .stop(let name): return [await setPaused(name, true)]
        // Workers perform these.
        case .post, .run: return []
        }
    }

    /// Pauses an output, or lets it go on.
    private func setPaused(_ name: String, _ isPaused: Bool) async -> TriggerWatch.Report {
        await Self.report {
            try await live.change { rig in rig.outputs[try rig.index(ofOutput: name)].isPaused = isPaused }
            return "\(SourceAddress.hiding(in: name)) \(isPaused ? "pauses" : "is written")"
        }
    }

    private static func report(_ action: () async throws -> String) async -> TriggerWatch.Report {
        do { return .done(try await action()) } catch { return .failed("\(error)") }
    }

    /// Ends the workers' threads within a few seconds.
    func end() async {
        await withTaskGroup(of: Void.self) { group in
            for worker in workers.values { group.addTask { await worker.end(within: Self.patience) } }
        }
    }
}

extension TriggerArgument.Action {
    /// The worker of an action that may take long; nil for any other action.
    fileprivate func worker(
        for trigger: String, tell: @escaping @Sendable (TriggerWatch.Report) -> Void
    ) -> TriggerWorker? {
        switch self {
        case .clip, .split, .still, .scene, .start, .stop: return nil
        case .post(let webhook):
            #if Media
            return webhook.worker(for: trigger, tell: tell)
            #else
            return nil
            #endif
        case .run(let program): return program.worker(for: trigger, tell: tell)
        }
    }
}
