internal import Logging
internal import PipRender
internal import Synchronization

/// Runs a session: makes its changes one after the other, and does what the machine asks for.
///
/// Changes are of the graph, of what there is to show, of what pressure gives up, of the GPU; each is a step of the
/// ``SessionPipeline``. Never blocks; drawing happens elsewhere.
actor SessionController {
    nonisolated let published: Published
    nonisolated let cameras: CameraDirectory
    private nonisolated let journal: SessionJournal
    private let options: SessionOptions
    private let pipeline: SessionPipeline
    private let relief: ReliefDirector
    private let matcher: CameraMatcher
    private var turns = Turns()
    private var losses = LossCount()
    /// The version of the wiring whose graph is drawn; nil when that is not known.
    private var drawnVersion: Int?
    /// Whether somebody asked to stop.
    private var isHurried = false
    /// Whether the last frame was handed over: nothing is opened any more.
    private var isClosing = false

    init(
        options: SessionOptions, cameras: CameraDirectory, root: NodeID?,
        events: AsyncStream<SessionEvent>.Continuation
    ) {
        self.options = options
        var cameras = cameras
        cameras.videoDecoding = cameras.videoDecoding ?? options.videoDecoding
        self.cameras = cameras
        let logger = options.logger
        let slateBoard = SlateBoard(caption: options.slateCaption) { logger?.warning("\($0)") }
        let sources = SourceRegistry(slateBoard: slateBoard)
        let outputs = OutputRegistry()
        published = Published(sources: sources.listed, outputs: outputs.listed)
        journal = SessionJournal(events)
        relief = ReliefDirector(options.pressure, clock: options.time, journal)
        matcher = CameraMatcher(interval: options.matchingInterval, clock: options.time, journal)
        pipeline = SessionPipeline(
            PlanExecutors(options), root: root, options, cameras, sources, outputs, relief, matcher, published,
            SourceNotes(
                journal: journal, slateBoard: slateBoard, arrived: matcher.arrived,
                endsWithHungDrivers: options.endsWithHungDrivers))
    }

    /// Opens the sources of a graph, and plans it once.
    ///
    /// - Returns: The rate of the output, and whether it may run faster than time.
    /// - Throws: ``SessionError`` when it cannot be drawn; then nothing stays open.
    func open(_ graph: Graph) async throws(SessionError) -> (rate: FrameRate, isOffline: Bool) {
        do throws(SessionError) {
            try await pipeline.open(graph)
        } catch {
            await close()
            throw error
        }
        return pipeline.timing(graph)
    }

    /// GL objects that exist.
    var objectCounts: ObjectCounts { pipeline.executors.gpu.objectCounts }

    // MARK: Changes, one after the other

    /// Makes a change that no other comes in between of.
    func exclusively<R, E: Error>(_ change: () async throws(E) -> R) async throws(E) -> R {
        while turns.isTaken { await withCheckedContinuation { turns.waiting.append($0) } }
        turns.take()
        defer { for continuation in turns.end() { continuation.resume() } }
        return try await change()
    }

    /// Makes the changes of a draft, all or none; layers change by a style, at once without one.
    ///
    /// - Throws: ``SessionError`` when they cannot be drawn; then neither graph nor picture has changed.
    func commit(_ draft: Draft, _ wiring: Wiring, _ style: MotionStyle? = nil) async throws(SessionError) {
        try await exclusively { () throws(SessionError) in
            guard !isClosing else { throw .ended("the session") }
            let drawn = published.graph
            drawnVersion = nil
            var proposal: Draft.Proposal
            do {
                repeat {
                    proposal = draft.rebased
                    do throws(GraphError) { try proposal.graph.validate(needsSinks: false) } catch {
                        throw SessionError(error)
                    }
                    try await pipeline.update(to: proposal.graph, style)
                } while !draft.commit(proposal)
            } catch {
                // A proposal may be drawn that was not committed.
                await redraw(wiring, orElse: drawn)
                throw SessionError(any: error)
            }
        }
    }

    /// Draws every change of the graph, and of what there is to show.
    private func follow(_ changes: AsyncStream<Void>, of wiring: Wiring) async {
        for await _ in changes { await exclusively { await self.redraw(wiring) } }
    }

    /// Draws the graph as it is; what cannot be drawn is taken back, and reported.
    ///
    /// An output that cannot be opened goes alone. Otherwise all that was changed since the graph that is drawn does,
    /// so that later changes are drawn.
    ///
    /// - Parameters:
    ///   - wiring: The graph.
    ///   - fallback: The graph to go back to; nil for the one that is drawn.
    private func redraw(_ wiring: Wiring, orElse fallback: Graph? = nil) async {
        guard !isClosing else { return }
        wiring.collect()
        while true {
            let (graph, version) = wiring.snapshot
            do {
                for id in graph.duplicateSinks {
                    let error = SinkError(
                        graph.label(of: id), "be written twice", .invalidOptions, "another output writes it already")
                    throw OutputFailure(id: id, error: error)
                }
                try await pipeline.update(to: graph)
                drawnVersion = version
                return
            } catch let failure as OutputFailure {
                graph.connectedSink(failure.id)?.status.failed(failure.error)
                pipeline.forget(failure.id)
                wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(failure.id) }
                journal.yield(.sinkFailed(failure.error))
            } catch {
                // What was not opened any more is no mistake of the graph's.
                guard !isClosing else { return }
                let error = SessionError(any: error)
                // Without a change since, the machine is to blame: the graph is right as it is.
                if let drawn = fallback ?? published.graph, version != drawnVersion {
                    wiring.edit { (now: inout Graph) throws(Never) in now.undo(graph, to: drawn) }
                    drawnVersion = wiring.snapshot.version == version + 1 ? version + 1 : nil
                    for id in graph.sinks where drawn[id] == nil { graph.connectedSink(id)?.takeBack(because: error) }
                    await pipeline.closeUnused(by: drawn)
                }
                return journal.yield(.changeRejected(error))
            }
        }
    }

    // MARK: Running

    /// Runs until it ends by itself or is stopped, then finishes and closes everything.
    ///
    /// - Returns: What went wrong; nil when all went well.
    func run(
        _ wiring: Wiring, limits: RenderLoop.Limits, rate: FrameRate, isOffline: Bool, changes: AsyncStream<Void>,
        changed: AsyncStream<Void>.Continuation, stop: StopSignal
    ) async -> SessionError? {
        let signals = LoopSignals(changed: changed)
        let loop: RenderLoop
        do {
            // A change that was made meanwhile would be closed again with what the first graph does not have.
            loop = try await exclusively {
                try await pipeline.start(wiring.graph, limits: limits, (rate, isOffline), signals, stop: stop)
            }
        } catch {
            await close()
            return SessionError(any: error)
        }
        if stop.isRaised { loop.end() }
        loop.begin()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow(changes, of: wiring) }
            group.addTask { await self.replaceContexts(signals.losses.stream, of: loop, wiring, ended: signals.ended) }
            if !isOffline { group.addTask { await self.govern(wiring, loop, stop: stop) } }
            if let matching = options.cameraMatching { group.addTask { await self.match(wiring, matching) } }
            group.addTask {
                for await work in signals.slowness.stream { await self.switchOffSlowEffect(of: wiring, after: work) }
            }
            group.addTask {
                await stop.wait()
                loop.end()
                await self.hurry()
            }
            await signals.ended.wait()
            signals.finish()
            matcher.end()
            relief.end()
            await close()
            stop.raise()
        }
        return journal.failure
    }

    // MARK: A GPU that was reset

    /// Makes everything that draws anew whenever the GPU was reset; cameras and files go on meanwhile.
    ///
    /// When that does not help, the session ends, with its files finished.
    private func replaceContexts(
        _ losses: AsyncStream<Void>, of loop: RenderLoop, _ wiring: Wiring, ended: StopSignal
    ) async {
        for await _ in losses {
            let lost = options.time.now
            do throws(SessionError) {
                try await exclusively { () throws(SessionError) in
                    guard self.losses.mayGoOn(after: lost) else {
                        throw .gpu(GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost))
                    }
                    try await self.pipeline.replaceContext(wiring.graph)
                }
            } catch {
                journal.end(with: error)
                ended.raise()
                return
            }
            journal.yield(.contextReplaced(after: lost.duration(to: options.time.now)))
            loop.begin()
        }
    }

    // MARK: Pressure

    /// Measures pressure and does what the policy says, until the session closes.
    private func govern(_ wiring: Wiring, _ loop: RenderLoop, stop: StopSignal) async {
        let journal = journal
        let samples = relief.samples(load: { loop.takeLoad() }, onProblem: { journal.yield(.sensorFailed($0)) })
        for await sample in samples where !isClosing {
            let step = relief.step(sample, encodes: wiring.graph.encodes)
            published.note(step.state)
            guard step.isDue else { continue }
            let before = pipeline.pacedRate
            let needsPlan = relief.follow()
            await exclusively {
                // What takes no time first.
                await self.pipeline.applyRelief(wiring.graph)
                if needsPlan { await self.redraw(wiring) }
            }
            if let decision = step.decision {
                let started = loop.shared.withLock { $0.started } ?? sample.time
                let event = PressureEvent(
                    decision, at: max(.zero, started.duration(to: sample.time)), rateBefore: before,
                    rateAfter: pipeline.pacedRate)
                published.note(event)
                journal.yield(.pressure(event))
            }
            if relief.current.isStopped { stop.raise() }
        }
        relief.stopMeasuring()
    }

    /// Holds the pressure at a level; nil goes by the sensors.
    func pin(_ level: PressureLevel?) { relief.pinned = level }

    func use(_ policy: PressurePolicy) { relief.use(policy) }

    /// What the session is expected to cost while a relief holds.
    func predictedCost(of graph: Graph, under relief: PressureRelief) throws(SessionError) -> SessionCost {
        try pipeline.predictedCost(of: graph, under: relief)
    }

    // MARK: Cameras

    /// The camera of a source.
    ///
    /// - Throws: ``SessionError`` when it is no camera of this session, or the session has ended.
    func camera(_ source: CameraSource) throws(SessionError) -> CameraSlot {
        guard !isClosing else { throw .ended("the session") }
        guard let camera = pipeline.sources.camera(source.node.id) else { throw .notInSession(source.label) }
        return camera
    }

    /// Sets a camera to another mode for a while, as far as the relief allows; the graph does not know of it.
    func borrow(_ source: CameraSource, as wish: CameraWish, in graph: Graph) async throws(SessionError) {
        let camera = try camera(source)
        try await exclusively { () throws(SessionError) in
            let limit = relief.limit(isMain: source.node.id == pipeline.main(of: graph))
            do throws(CaptureError) {
                try await camera.change(to: limit.applied(to: wish))
            } catch { throw .camera(error) }
            relief.note(wish, of: source.node.id, within: limit.size)
        }
    }

    /// What a camera was configured to, and the largest size of its that can be used.
    ///
    /// - Throws: ``SessionError`` when it is no camera of this session, or the session has ended.
    func modeChoice(of source: CameraSource) throws(SessionError) -> (wish: CameraWish, largest: PixelSize?) {
        let camera = try camera(source)
        let wish = relief.configuredWish(of: source.node.id) ?? camera.wish
        let modes = camera.modes.filter { $0.isUsable && (wish.format == nil || $0.format == wish.format) }
        let direct = modes.filter { !$0.isEmulated }
        return (wish, (direct.isEmpty ? modes : direct).map(\.size).max { $0.area < $1.area })
    }

    private func match(_ wiring: Wiring, _ matching: CameraMatching) async {
        let main = pipeline.main(of: wiring.graph)
        let ids = pipeline.sources.cameraIDs
        // The main one first: others follow it.
        await matcher.run(ids.filter { $0 == main } + ids.filter { $0 != main }, matching, pipeline.sources)
    }

    // MARK: Effects that take too long

    /// Switches off the effect that most probably makes frames take far too long.
    ///
    /// When it was not that one, the next frames tell, and the next effect follows.
    private func switchOffSlowEffect(of wiring: Wiring, after work: Duration) async {
        await exclusively {
            let graph = wiring.graph
            guard let slow = self.pipeline.slowEffect(of: graph) else { return }
            // The change is drawn as any other of the graph is.
            wiring.edit { (graph: inout Graph) throws(Never) in graph.mute(slow) }
            self.journal.yield(.effectSwitchedOff(name: graph.label(of: slow), frameTime: work))
        }
    }

    // MARK: Closing

    /// Stops every source, finishes every file, and lets go of the GPU's objects.
    private func close() async {
        journal.close()
        isClosing = true
        pipeline.stopOpening()
        // What is being opened now is closed with the rest.
        await exclusively {}
        await pipeline.stopSources()
        // As long as it takes, unless somebody asked to stop.
        await pipeline.finishOutputs(by: isHurried ? options.time.now.advanced(by: closingTime) : .distantFuture)
        await pipeline.dismantle()
    }

    /// Gives every file as long to be finished as the options allow, once the last frame was handed over.
    private func hurry() async {
        isHurried = true
        if isClosing { await pipeline.finishOutputs(by: options.time.now.advanced(by: closingTime)) }
    }

    /// How long files may take to be finished: less when the machine is about to shut itself down.
    private var closingTime: Duration {
        relief.current.isStopped ? min(options.closingTime, .seconds(1)) : options.closingTime
    }
}

extension Graph {
    fileprivate mutating func mute(_ id: NodeID) {
        guard case .filter(var filter)? = self[id] else { return }
        filter.isMuted = true
        set(.filter(filter), for: id)
    }
}
