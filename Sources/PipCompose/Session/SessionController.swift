internal import Logging
internal import PipRender
internal import Synchronization

/// Keeps what a session draws up to date: opens sources and outputs, plans, and installs plans in the render loop.
///
/// Changes come one after the other (``exclusively(_:)``): of the graph, of what there is to show, of what pressure
/// gives up, of the GPU. Each is the same step, ``update(to:dropsFailures:)``. Never blocks; drawing happens elsewhere.
actor SessionController {
    let options: SessionOptions
    nonisolated let published: Published
    nonisolated let journal: SessionJournal
    nonisolated let slateBoard: SlateBoard
    nonisolated let cameras: CameraDirectory
    private(set) var gpu: RenderContext
    private let sources: SourceRegistry
    private let outputs: OutputRegistry
    private let relief: ReliefDirector
    private let matcher: CameraMatcher
    /// Tells the matcher of a camera that delivers, from any thread.
    private nonisolated let arrived: @Sendable (NodeID) -> Void
    private var effects = EffectWatch()
    /// The node whose picture decides which source is the main one.
    private let root: NodeID?
    /// The machine's measured costs; nil when they are not known.
    private let weights: WorkWeights?
    private(set) var loop: RenderLoop?
    /// The plan that the loop draws with, and the sources that it knows.
    private var installed: (plan: RenderPlan, feeds: Set<NodeID>)?
    private var presence: [NodeID: Presence] = [:]
    private var circumstances: OutputCircumstances?
    private var turns = Turns()
    private var losses = LossCount()
    /// True when somebody asked to stop.
    private var isHurried = false
    /// True when the last frame was handed over.
    private(set) var isClosing = false

    init(
        gpu: RenderContext, weights: WorkWeights?, options: SessionOptions, cameras: CameraDirectory, root: NodeID?,
        events: AsyncStream<SessionEvent>.Continuation
    ) {
        self.gpu = gpu
        self.weights = weights
        self.options = options
        self.cameras = cameras
        self.root = root
        let logger = options.logger
        slateBoard = SlateBoard(caption: options.slateCaption) { logger?.warning("\($0)") }
        sources = SourceRegistry(cameras: cameras, slateBoard: slateBoard)
        outputs = OutputRegistry()
        published = Published(sources: sources.listed, outputs: outputs.listed)
        journal = SessionJournal(events)
        relief = ReliefDirector(options.pressure, clock: options.time, journal)
        matcher = CameraMatcher(interval: options.matchingInterval, clock: options.time, journal)
        arrived = matcher.arrived
    }

    // MARK: From a graph to what is drawn

    /// Opens the sources of a graph, and plans it once.
    func open(_ graph: Graph) async throws(SessionError) {
        do throws(SessionError) {
            try openSources(of: graph)
            do throws(OutputFailure) { try outputs.readRequests(of: graph) } catch { throw .sink(error.error) }
            let plan = try state(of: graph).plan()
            outputs.pin(plan)
            published.set(plan)
        } catch {
            await close()
            throw error
        }
    }

    /// Opens what a graph needs, plans it and draws it from the next frame on; closes what it does not need any more.
    ///
    /// - Parameter graph: The graph to be drawn.
    /// - Throws: ``SessionError`` when it cannot be drawn, ``OutputFailure`` when an output cannot be opened. What was
    ///   drawn before goes on; what was opened stays open, for the graph that is drawn in its place.
    func update(to graph: Graph) async throws {
        if let loop { presence = loop.shared.withLock { $0.presence } }
        try openSources(of: graph)
        noteNewFeeds()
        try outputs.readRequests(of: graph)
        let state = state(of: graph)
        let plan = try state.plan()
        outputs.pin(plan)
        effects.note(graph)
        sources.openSlates(for: plan)
        guard let loop, let circumstances else { return published.set(plan) }
        try outputs.open(plan, of: graph, circumstances)
        try sources.start()
        try await install(plan, state, in: loop)
        published.set(graph)
        await closeUnused(by: graph)
        await applyRelief(graph)
    }

    /// Draws a plan from the next frame on, if it is another one than before.
    private func install(_ plan: RenderPlan, _ state: PlanningState, in loop: RenderLoop) async throws(SessionError) {
        let (feeds, receivers) = (sources.feeds, outputs.receivers)
        let known = Set(feeds.keys)
        guard plan != installed?.plan || known != installed?.feeds else { return }
        try await loop.makeReady(plan, framesInFlight: options.queueCapacity + 3, on: gpu)
        let main = state.main
        let rates = state.graph.outputRates
        await gpu.perform { gpu in
            loop.install(
                feeds: feeds, formats: state.formats, receivers: receivers, rates: rates, main: main, on: gpu)
        }
        installed = (plan, known)
        published.set(plan)
    }

    /// All facts of a graph as it is to be drawn now.
    private func state(of graph: Graph) -> PlanningState {
        var capabilities = gpu.capabilities.plan
        capabilities.weights = weights
        return PlanningState(
            graph: graph, main: main(of: graph), presence: presence, formats: sources.formats, stands: sources.stands,
            requests: outputs.requests, capabilities: capabilities, fuses: options.fuses,
            effects: relief.current.effects, time: loop?.shared.withLock { $0.time } ?? .zero)
    }

    /// The source that the output keeps time with.
    func main(of graph: Graph) -> NodeID? { graph.mainSource(of: root) }

    /// The sources that are open for a graph: those of its outputs, and those of its main picture, drawn on or not.
    private func wanted(by graph: Graph) -> [NodeID] { graph.sources(below: graph.sinks + (root.map { [$0] } ?? [])) }

    private func openSources(of graph: Graph) throws(SessionError) {
        let journal = journal
        let context = OpeningContext(
            cameras: cameras, clock: options.time, logger: options.logger,
            waitsForCameras: options.startsWithoutCameras,
            sharesBuffers: options.bufferSharing.isWanted(on: gpu.capabilities),
            onCameraEvent: { [weak self] id, name, event in self?.note(event, of: id, name: name) },
            onError: { journal.sourceFailed($0) })
        try sources.open(wanted(by: graph), of: graph, main: main(of: graph), context)
    }

    private nonisolated func note(_ event: CameraEvent, of id: NodeID, name: String) {
        journal.yield(.camera(name: name, event: event))
        slateBoard.note(event, of: id, name: name)
        if event.isArrival { arrived(id) }
        if case .lost(let error) = event, error.kind == .hanging {
            journal.noteHungDriver(error, ends: options.endsWithHungDrivers) { published.stop() }
        }
        published.sources[id]?.counters.withLock { if $0.events.count < 64 { $0.events.append(event.description) } }
    }

    /// A source that joins a live output is drawn once it has a frame: what it will hide is drawn until then.
    private func noteNewFeeds() {
        guard let loop, circumstances?.isLive == true, installed != nil else { return }
        for feed in sources.waiting {
            // The render thread does not know it yet.
            feed.reported = .none
            presence[feed.id] = Presence.none
            loop.shared.withLock { $0.presence[feed.id] = Presence.none }
        }
    }

    /// Closes sources and outputs that a graph has no more.
    private func closeUnused(by graph: Graph) async {
        for feed in sources.take(except: Set(wanted(by: graph))) {
            await feed.inlet.stop()
            await gpu.perform { _ in feed.release() }
        }
        let deadline = options.time.now.advanced(by: options.closingTime)
        await outputs.close(except: Set(graph.sinks), by: deadline)
    }

    // MARK: Changes, one after the other

    /// Makes a change that no other comes in between of.
    func exclusively<R, E: Error>(_ change: () async throws(E) -> R) async throws(E) -> R {
        while turns.isTaken { await withCheckedContinuation { turns.waiting.append($0) } }
        turns.take()
        defer { for continuation in turns.end() { continuation.resume() } }
        return try await change()
    }

    /// Makes the changes of a draft, all or none.
    ///
    /// - Throws: ``SessionError`` when they cannot be drawn; then neither graph nor picture has changed.
    func commit(_ draft: Draft, _ wiring: Wiring) async throws(SessionError) {
        try await exclusively { () throws(SessionError) in
            guard !isClosing else { throw .ended("the session") }
            var proposal: Draft.Proposal
            do {
                repeat {
                    proposal = draft.rebased
                    do throws(GraphError) { try proposal.graph.validate(needsSinks: false) } catch {
                        throw SessionError(error)
                    }
                    try await update(to: proposal.graph)
                } while !draft.commit(proposal)
            } catch {
                // A proposal may be drawn that was not committed.
                await redraw(wiring)
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
    func redraw(_ wiring: Wiring) async {
        wiring.collect()
        while true {
            let graph = wiring.graph
            do {
                for id in graph.duplicateSinks {
                    let error = SinkError(
                        graph.label(of: id), "be written twice", .invalidOptions, "another output writes it already")
                    throw OutputFailure(id: id, error: error)
                }
                return try await update(to: graph)
            } catch let failure as OutputFailure {
                graph.connectedSink(failure.id)?.status.failed(failure.error)
                outputs.forget(failure.id)
                wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(failure.id) }
                journal.yield(.sinkFailed(failure.error))
            } catch {
                let error = SessionError(any: error)
                if let drawn = published.graph {
                    wiring.edit { (now: inout Graph) throws(Never) in now.undo(graph, to: drawn) }
                    for id in graph.sinks where drawn[id] == nil { graph.connectedSink(id)?.takeBack(because: error) }
                    await closeUnused(by: drawn)
                }
                return journal.yield(.changeRejected(error))
            }
        }
    }

    // MARK: Running

    /// The rate of the output, and whether it may run faster than time.
    func timing(_ graph: Graph) -> (rate: FrameRate, isOffline: Bool) {
        let main = main(of: graph).flatMap { sources.feeds[$0]?.rate } ?? FrameRate(30)
        let isLive = sources.feeds.values.contains(where: \.inlet.isLive)
        switch options.clock {
        case .mainRate: return (main, false)
        case .rate(let rate): return (rate, false)
        case .maximum: return (main, !isLive)
        }
    }

    /// Runs until it ends by itself or is stopped, then finishes and closes everything.
    ///
    /// - Returns: What went wrong; nil when all went well.
    func run(
        _ wiring: Wiring, limits: RenderLoop.Limits, rate: FrameRate, isOffline: Bool, changes: AsyncStream<Void>,
        changed: AsyncStream<Void>.Continuation, stop: StopSignal
    ) async -> SessionError? {
        let signals = LoopSignals(changed: changed)
        let (journal, published) = (journal, published)
        let loop = RenderLoop(
            gpu: gpu, rate: rate, isOffline: isOffline, limits: limits, patience: options.patience, clock: options.time,
            heartbeat: options.heartbeat
        ) { signals.note($0, journal) }
        self.loop = loop
        published.begin(loop, stop)
        circumstances = OutputCircumstances(
            rate: rate, isLive: !isOffline, capacity: options.queueCapacity, clock: options.time,
            onEvent: { journal.yield(SessionEvent($0)) },
            // Weak: what is published holds the outputs.
            onError: { [weak published] in journal.sinkFailed($0, of: published?.outputs.count ?? 0, stop) })
        do {
            if !isOffline { await rehearse(wiring.graph, in: loop) }
            try await update(to: wiring.graph)
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

    /// Makes everything ready once that there may be to draw without one of the cameras.
    ///
    /// Compiling takes longer than a frame may: the picture without a camera has to be compiled before that is lost.
    private func rehearse(_ graph: Graph, in loop: RenderLoop) async {
        var plans: Set<RenderPlan> = []
        for id in sources.cameraIDs {
            for absence in [Presence.gone, .none] {
                var state = state(of: graph)
                state.presence = [id: absence]
                // What cannot be drawn is reported when it comes to that.
                if let plan = try? state.plan() { plans.insert(plan) }
            }
        }
        for plan in plans {
            try? await loop.makeReady(plan, framesInFlight: options.queueCapacity + 3, on: gpu)
        }
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
                    try await self.replaceContext(of: loop, wiring, lost: lost)
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

    private func replaceContext(of loop: RenderLoop, _ wiring: Wiring, lost: Timestamp) async throws(SessionError) {
        guard losses.mayGoOn(after: lost) else {
            throw .gpu(GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost))
        }
        do throws(GLError) {
            gpu = try await RenderContext(log: nil, resetStatus: options.resetStatus, clock: options.time)
        } catch {
            throw .gpu(error)
        }
        loop.move(to: gpu)
        installed = nil
        do { try await update(to: wiring.graph) } catch { throw SessionError(any: error) }
    }

    // MARK: Pressure

    /// Measures pressure and does what the policy says, until the session closes.
    private func govern(_ wiring: Wiring, _ loop: RenderLoop, stop: StopSignal) async {
        let journal = journal
        let samples = relief.samples(load: { loop.takeLoad() }, onProblem: { journal.yield(.sensorFailed($0)) })
        for await sample in samples where !isClosing {
            let step = relief.step(sample)
            published.note(step.state)
            guard step.isDue else { continue }
            let before = pacedRate
            let needsPlan = relief.follow()
            await exclusively {
                // What takes no time first.
                await self.applyRelief(wiring.graph)
                if needsPlan { await self.redraw(wiring) }
            }
            if let decision = step.decision {
                let started = loop.shared.withLock { $0.started } ?? sample.time
                let event = PressureEvent(
                    decision, at: max(.zero, started.duration(to: sample.time)), rateBefore: before,
                    rateAfter: pacedRate)
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

    /// Makes cameras and output follow the relief.
    private func applyRelief(_ graph: Graph) async {
        guard let loop else { return }
        let limit = relief.outputLimit
        await gpu.perform { _ in loop.setPace(limit) }
        let main = main(of: graph)
        for id in sources.cameraIDs {
            guard let camera = sources.camera(id) else { continue }
            await relief.apply(to: camera, id, isMain: id == main)
        }
    }

    /// Output frames a second as far as the relief allows.
    private var pacedRate: FrameRate {
        let rate = circumstances?.rate ?? FrameRate(30)
        return relief.outputLimit.map { min($0, rate) } ?? rate
    }

    /// What the session is expected to cost while a relief holds.
    func predictedCost(of graph: Graph, under relief: PressureRelief) throws(SessionError) -> SessionCost {
        try SessionCost.predicted(state(of: graph), under: relief, sources.listed.feeds, rate: timing(graph).rate)
    }

    // MARK: Cameras

    /// The camera of a source.
    ///
    /// - Throws: ``SessionError`` when it is no camera of this session, or the session has ended.
    func camera(_ source: CameraSource) throws(SessionError) -> CameraSlot {
        guard !isClosing else { throw .ended("the session") }
        guard let camera = sources.camera(source.node.id) else { throw .notInSession(source.label) }
        return camera
    }

    /// Sets a camera to another mode, as far as the relief allows.
    func setMode(_ wish: CameraWish, of source: CameraSource, in graph: Graph) async throws(SessionError) {
        let camera = try camera(source)
        let isMain = source.node.id == main(of: graph)
        do throws(CaptureError) {
            try await relief.configure(source.node.id, wish, isMain: isMain) { wish throws(CaptureError) in
                try await camera.change(to: wish)
            }
        } catch { throw .camera(error) }
    }

    /// Takes another camera in the place of one, as far as the relief allows.
    func replace(
        _ source: CameraSource, with selector: CameraSelector, _ wish: CameraWish, in graph: Graph
    ) async throws(SessionError) {
        let camera = try camera(source)
        let isMain = source.node.id == main(of: graph)
        do throws(CaptureError) {
            try await relief.configure(source.node.id, wish, isMain: isMain) { wish throws(CaptureError) in
                try await camera.replace(with: selector, wish: wish)
            }
        } catch { throw .camera(error) }
        matcher.replaced(source.node.id)
    }

    private func match(_ wiring: Wiring, _ matching: CameraMatching) async {
        let main = main(of: wiring.graph)
        let ids = sources.cameraIDs
        // The main one first: others follow it.
        await matcher.run(ids.filter { $0 == main } + ids.filter { $0 != main }, matching, sources)
    }

    // MARK: Effects that take too long

    /// Switches off the effect that most probably makes frames take far too long.
    ///
    /// When it was not that one, the next frames tell, and the next effect follows.
    private func switchOffSlowEffect(of wiring: Wiring, after work: Duration) async {
        await exclusively {
            let graph = wiring.graph
            let state = self.state(of: graph)
            let slow = self.effects.slowest(of: graph) { other in
                var changed = state
                changed.graph = other
                return (try? changed.plan())?.cost.pixels ?? 0
            }
            guard let slow else { return }
            // The change is drawn as any other of the graph is.
            wiring.edit { (graph: inout Graph) throws(Never) in graph.mute(slow) }
            self.journal.yield(.effectSwitchedOff(name: graph.label(of: slow), frameTime: work))
        }
    }

    // MARK: Closing

    /// Stops every source, finishes every file, and lets go of the GPU's objects.
    private func close() async {
        journal.close()
        await sources.stopAll()
        isClosing = true
        // As long as it takes, unless somebody asked to stop.
        await outputs.finishAll(by: isHurried ? options.time.now.advanced(by: closingTime) : .distantFuture)
        if let loop { await gpu.perform { _ in loop.dismantle() } }
        loop = nil
    }

    /// Gives every file as long to be finished as the options allow, once the last frame was handed over.
    private func hurry() async {
        isHurried = true
        if isClosing { await outputs.finishAll(by: options.time.now.advanced(by: closingTime)) }
    }

    /// How long files may take to be finished: less when the machine is about to shut itself down.
    private var closingTime: Duration {
        relief.current.isStopped ? min(options.closingTime, .seconds(1)) : options.closingTime
    }
}

extension Graph {
    /// The most frames a second of each sink that has a rate of its own.
    fileprivate var outputRates: [NodeID: FrameRate] {
        var rates: [NodeID: FrameRate] = [:]
        for id in sinks { rates[id] = sink(id)?.frameRate }
        return rates
    }

    fileprivate mutating func mute(_ id: NodeID) {
        guard case .filter(var filter)? = self[id] else { return }
        filter.isMuted = true
        set(.filter(filter), for: id)
    }
}

extension CameraEvent {
    /// True when a camera is there that may not have been before.
    fileprivate var isArrival: Bool {
        switch self {
        case .started, .reopened: true
        default: false
        }
    }
}
