internal import Logging
internal import PipRender
internal import Synchronization

/// Runs a session: waits for events, and has the ``SessionPipeline`` make one change after the other.
///
/// Drawing happens on the render thread.
actor SessionController {
    nonisolated let published: Published
    nonisolated let cameras: CameraDirectory
    private nonisolated let journal: SessionJournal
    private let wiring: Wiring
    private let options: SessionOptions
    private let stop: StopSignal
    private let pipeline: SessionPipeline
    private let pressure: PressureWatch
    private let matcher: CameraMatcher
    private var turns = Turns()

    /// - Parameters:
    ///   - wiring: The graph behind the session's handles.
    ///   - options: The session's options.
    ///   - cameras: The machine's cameras.
    ///   - stop: Ends the run when it is raised.
    ///   - events: The session's events.
    init(
        _ wiring: Wiring, _ options: SessionOptions, _ cameras: CameraDirectory, _ stop: StopSignal,
        _ events: AsyncStream<SessionEvent>.Continuation
    ) {
        self.wiring = wiring
        self.options = options
        self.stop = stop
        var cameras = cameras
        cameras.videoDecoding = cameras.videoDecoding ?? options.videoDecoding
        self.cameras = cameras
        journal = SessionJournal(events, stop, endsWithHungDrivers: options.endsWithHungDrivers)
        pressure = PressureWatch(options.pressure, clock: options.time)
        matcher = CameraMatcher(interval: options.matchingInterval, clock: options.time, journal)
        pipeline = SessionPipeline(wiring, options, cameras, matcher, journal)
        published = pipeline.published
    }

    /// Opens the sources of a graph, and plans the graph once.
    ///
    /// - Returns: The timing of the graph's output.
    /// - Throws: ``SessionError`` when a source cannot be opened or the graph cannot be drawn. Then nothing stays open.
    func open(_ graph: Graph) async throws(SessionError) -> RenderTiming {
        do throws(SessionError) {
            try await pipeline.open(graph)
        } catch {
            await close()
            throw error
        }
        return pipeline.planner.timing(of: graph)
    }

    /// The number of existing GL objects of each kind.
    var objectCounts: ObjectCounts { pipeline.executors.gpu.objectCounts }

    // MARK: Changes, one after the other

    /// Performs a change while no other change is made; the changes that wait follow one after the other, in any order.
    func exclusively<R, E: Error>(_ change: () async throws(E) -> R) async throws(E) -> R {
        while turns.isTaken { await withCheckedContinuation { turns.waiting.append($0) } }
        turns.take()
        defer { for continuation in turns.end() { continuation.resume() } }
        return try await change()
    }

    /// Applies the changes of a draft, all or none.
    ///
    /// - Parameters:
    ///   - draft: The changes.
    ///   - style: The duration, easing and transition of layers' changes; nil shows the changes at once.
    /// - Throws: ``SessionError`` when the result cannot be drawn or opened, a camera refuses its change, or the
    ///   session has ended. Then neither the graph nor the picture has changed.
    func commit(_ draft: Draft, _ style: MotionStyle? = nil) async throws(SessionError) {
        try await exclusively { () throws(SessionError) in
            do {
                var proposal: Draft.Proposal
                repeat {
                    guard !pipeline.state.isClosing else { throw SessionError.ended("the session") }
                    proposal = draft.rebased
                    do throws(GraphError) { try proposal.graph.validate(needsSinks: false) } catch {
                        throw SessionError(error)
                    }
                    try await pipeline.propose(proposal.graph, .draft, style)
                } while !draft.commit(proposal)
                try await pipeline.handle(.committed)
            } catch {
                try? await pipeline.handle(.abandoned)
                throw SessionError(any: error)
            }
        }
    }

    /// Makes another plan whenever the graph changes, a source's presence or format changes, a motion ends, or the plan
    /// is outdated.
    private func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes { await exclusively { await pipeline.redraw() } }
    }

    // MARK: Running

    /// Runs until the session ends by itself or is stopped, then finishes every file and closes everything.
    ///
    /// - Returns: The error that the session has ended with; nil when all went well.
    func run(_ timing: RenderTiming) async -> SessionError? {
        let signals = LoopSignals()
        let observation = wiring.observe { signals.changes.continuation.yield() }
        defer { wiring.removeObserver(observation) }
        let loop: RenderLoop
        do {
            // Exclusive, because starting closes all nodes that the first graph lacks, even nodes that another change
            // has
            // just opened.
            loop = try await exclusively { try await pipeline.start(wiring.graph, timing, signals) }
        } catch {
            await close()
            return SessionError(any: error)
        }
        if stop.isRaised { loop.end() }
        loop.begin(on: pipeline.executors.gpu)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow(signals.changes.stream) }
            group.addTask { await self.replaceContexts(of: loop, signals) }
            if !timing.isOffline { group.addTask { await self.govern(loop) } }
            if let matching = options.cameraMatching { group.addTask { await self.match(matching) } }
            group.addTask { for await work in signals.slowness.stream { await self.switchOffSlowEffect(after: work) } }
            group.addTask { [stop] in
                await stop.wait()
                loop.end()
                await self.hurry()
            }
            await signals.ended.wait()
            signals.finish()
            matcher.end()
            pressure.end()
            await close()
            stop.raise()
        }
        return journal.failure
    }

    /// Replaces the GPU context whenever the GPU was reset.
    ///
    /// Cameras and files go on meanwhile.
    ///
    /// If the context cannot be replaced, or was lost for the third time within a minute, the session ends, with its
    /// files finished.
    private func replaceContexts(of loop: RenderLoop, _ signals: LoopSignals) async {
        for await _ in signals.losses.stream {
            let lost = options.time.now
            do {
                try await exclusively { try await self.pipeline.handle(.contextLost(at: lost)) }
            } catch {
                journal.end(with: SessionError(any: error))
                signals.ended.raise()
                return
            }
            journal.yield(.contextReplaced(after: lost.duration(to: options.time.now)))
            loop.begin(on: pipeline.executors.gpu)
        }
    }

    /// Switches off the effect that most probably makes frames take far too long.
    ///
    /// If the guess was wrong, the next frames are slow, too, and the next effect is switched off.
    private func switchOffSlowEffect(after work: Duration) async {
        await exclusively {
            let graph = wiring.graph
            let facts = self.pipeline.planner.facts(of: graph)
            guard let slow = self.pipeline.effects.slowest(in: facts) else { return }
            // The observer of the wiring draws this change like any other.
            wiring.edit { (graph: inout Graph) throws(Never) in graph.mute(slow) }
            self.journal.yield(.effectSwitchedOff(name: graph.label(of: slow), frameTime: work))
        }
    }

    // MARK: Pressure

    /// Measures pressure and applies the policy's relief, until the session closes.
    private func govern(_ loop: RenderLoop) async {
        let journal = journal
        let samples = pressure.samples(load: { loop.takeLoad() }, onProblem: { journal.yield(.sensorFailed($0)) })
        for await sample in samples where !pipeline.state.isClosing {
            let step = pressure.step(sample, encodes: wiring.graph.encodes)
            published.note(step.state)
            // A new policy may demand another relief even if the machine's state is the same.
            guard
                step.decision != nil || step.relief != pipeline.state.relief
                    || pipeline.cameraRelief.isRetryDue(at: sample.time)
            else { continue }
            let before = pipeline.pacedRate
            await exclusively { try? await self.pipeline.handle(.relieved(step.relief)) }
            if let decision = step.decision {
                let started = published.results.withLock { $0.started } ?? sample.time
                let event = PressureEvent(
                    decision, at: max(.zero, started.duration(to: sample.time)), rateBefore: before,
                    rateAfter: pipeline.pacedRate)
                published.note(event)
                journal.yield(.pressure(event))
            }
            if step.relief.isStopped { stop.raise() }
        }
        pressure.stopMeasuring()
    }

    /// Pins the pressure to a level; nil follows the sensors.
    func pin(_ level: PressureLevel?) {
        pressure.pinned = level
        published.note(pinned: level)
    }

    /// Switches to another pressure policy.
    func use(_ policy: PressurePolicy) {
        pressure.use(policy)
        published.note(policy)
    }

    /// Predicts the cost of the session while a relief is in force.
    func predictedCost(of graph: Graph, under relief: PressureRelief) throws(SessionError) -> SessionCost {
        try pipeline.planner.predictedCost(of: graph, under: relief)
    }

    // MARK: Cameras

    /// The camera of a source.
    ///
    /// - Throws: ``SessionError`` when the source is not an open camera of this session, or the session has ended.
    func camera(_ source: CameraSource) throws(SessionError) -> CameraSlot {
        guard !pipeline.state.isClosing else { throw .ended("the session") }
        guard let camera = pipeline.sources.camera(source.node.id) else { throw .notInSession(source.label) }
        return camera
    }

    /// Sets a camera to another mode temporarily, within the limits of the relief in force.
    ///
    /// The graph keeps the configured mode.
    func borrow(_ source: CameraSource, as wish: CameraWish) async throws(SessionError) {
        let camera = try camera(source)
        try await exclusively { () throws(SessionError) in
            let id = source.node.id
            let limit = pipeline.state.relief.cameraLimit(isMain: id == pipeline.state.main(of: wiring.graph))
            do throws(CaptureError) {
                try await camera.change(to: limit.applied(to: wish))
            } catch { throw .camera(error) }
            pipeline.cameraRelief.note(wish, of: id, within: limit)
        }
    }

    /// The configured settings of a camera, and the largest size among its usable modes; nil without such modes.
    ///
    /// If the settings request a pixel format, only its modes count. Emulated modes count only when the driver has no
    /// other modes.
    ///
    /// - Throws: ``SessionError`` when the source is not an open camera of this session, or the session has ended.
    func modeChoice(of source: CameraSource) throws(SessionError) -> (wish: CameraWish, largest: PixelSize?) {
        let camera = try camera(source)
        let wish = pipeline.cameraRelief.configuredWish(of: source.node.id) ?? camera.wish
        let modes = camera.modes.filter { $0.isUsable && (wish.format == nil || $0.format == wish.format) }
        let direct = modes.filter { !$0.isEmulated }
        return (wish, (direct.isEmpty ? modes : direct).map(\.size).max { $0.area < $1.area })
    }

    private func match(_ matching: CameraMatching) async {
        let main = pipeline.state.main(of: wiring.graph)
        let ids = pipeline.sources.cameraIDs
        // The main camera comes first, because the others copy it.
        await matcher.run(ids.filter { $0 == main } + ids.filter { $0 != main }, matching, pipeline.sources)
    }

    // MARK: Closing

    /// Stops every source, finishes every file, and releases the GPU objects.
    private func close() async {
        journal.close()
        try? await pipeline.handle(.ended)
        pipeline.stopOpening()
        // Wait for a change that still opens a source, so that this source is closed, too.
        await exclusively {}
        await pipeline.sources.stopAll()
        await pipeline.finishOutputs()
        await pipeline.dismantle()
    }

    /// Runs the last tick at once, and limits the time in which files must be finished.
    private func hurry() async {
        pipeline.executors.gpu.executor.callNow()
        try? await pipeline.handle(.stopRequested)
    }
}

extension Graph {
    fileprivate mutating func mute(_ id: NodeID) {
        guard case .filter(var filter)? = self[id] else { return }
        filter.isMuted = true
        set(.filter(filter), for: id)
    }
}
