internal import PipRender
internal import Synchronization

/// Sources, plan, render loop and outputs of a session: from a graph to what is drawn.
///
/// One step, ``update(to:)``, takes it from one graph to the next. Belongs to the session's controller, which takes one
/// step at a time.
final class SessionPipeline {
    let sources: SourceRegistry
    private let outputs: OutputRegistry
    private(set) var loop: RenderLoop?
    let executors: PlanExecutors
    private let options: SessionOptions
    private let cameras: CameraDirectory
    private let relief: ReliefDirector
    private let matcher: CameraMatcher
    private let published: Published
    private let notes: SourceNotes
    private var effects = EffectWatch()
    /// The node whose picture decides which source is the main one.
    private let root: NodeID?
    /// The plan that the loop draws with, and the sources that it knows.
    private var installed: (plan: RenderPlan, feeds: Set<NodeID>)?
    private var presence: [NodeID: Presence] = [:]
    private var motions = MotionScore()
    private var circumstances: OutputCircumstances?
    /// Raised once nothing more is to be opened.
    private let closing = Interruption()

    init(
        _ executors: PlanExecutors, root: NodeID?, _ options: SessionOptions, _ cameras: CameraDirectory,
        _ sources: SourceRegistry, _ outputs: OutputRegistry, _ relief: ReliefDirector, _ matcher: CameraMatcher,
        _ published: Published, _ notes: SourceNotes
    ) {
        self.executors = executors
        self.root = root
        self.options = options
        self.cameras = cameras
        self.sources = sources
        self.outputs = outputs
        self.relief = relief
        self.matcher = matcher
        self.published = published
        self.notes = notes
    }

    // MARK: From a graph to what is drawn

    /// Opens the sources of a graph, and plans it once.
    ///
    /// Sources that wait for a network or a user give up when the task is cancelled.
    ///
    /// - Throws: ``SessionError`` when it cannot be drawn; what was opened stays open.
    func open(_ graph: Graph) async throws(SessionError) {
        try await executors.prepare()
        let opening = Interruption()
        let failure = await withTaskCancellationHandler { () -> SessionError? in
            do throws(SessionError) { try await openSources(of: graph, opening) } catch { return error }
            return nil
        } onCancel: {
            opening.raise()
        }
        if let failure { throw failure }
        do throws(OutputFailure) { try outputs.readRequests(of: graph) } catch { throw .sink(error.error) }
        let (plan, _) = try await planned(graph)
        outputs.pin(plan)
        publish(plan)
    }

    /// Forgets a sink that is not to be opened.
    func forget(_ sink: NodeID) { outputs.forget(sink) }

    /// Opens what a graph needs, plans it and draws it from the next frame on; closes what it does not need any more.
    ///
    /// - Parameters:
    ///   - graph: The graph to be drawn.
    ///   - style: The course of its layers' changes since the graph that is drawn; nil shows them at once.
    ///   - offset: The session's time from which on files are read that were not before.
    /// - Throws: ``SessionError`` when it cannot be drawn, ``OutputFailure`` when an output cannot be opened. What was
    ///   drawn before goes on; what was opened stays open, for the graph that is drawn in its place.
    func update(to graph: Graph, _ style: MotionStyle? = nil, readingFrom offset: Duration = .zero) async throws {
        if let loop {
            let ended = loop.shared.withLock { shared in
                presence = shared.presence
                return shared.endedMotions
            }
            motions.forget(ended)
        }
        var motions = motions
        motions.change(from: published.graph, to: graph, style)
        let stage = motions.stage(of: graph)
        try await openSources(of: stage, closing)
        noteNewFeeds()
        let cameras = try await CameraUpdate(to: graph, main: main(of: graph), sources, relief, cameras)
        do {
            try await draw(stage, of: graph, motions, readingFrom: offset)
        } catch {
            await cameras.takeBack()
            throw error
        }
        await cameras.settle(sources, relief, matcher)
        self.motions = motions
        published.set(graph)
        await closeUnused(by: stage)
        await applyRelief(graph)
    }

    /// Plans a graph, and draws it from the next frame on.
    private func draw(
        _ stage: Graph, of graph: Graph, _ motions: MotionScore, readingFrom offset: Duration
    ) async throws {
        try outputs.readRequests(of: graph)
        let (plan, state) = try await planned(stage)
        outputs.pin(plan)
        effects.note(graph)
        sources.openStandIns(for: plan)
        guard let loop, var circumstances else { return publish(plan) }
        circumstances.sources = sources.feeds
        try outputs.open(plan, of: graph, circumstances)
        try await sources.start(at: offset, by: options.time)
        try await install(plan, state, motions, in: loop)
    }

    /// Draws a plan from the next frame on, if it is another one than before, or if something moves.
    private func install(
        _ plan: RenderPlan, _ state: PlanningState, _ motions: MotionScore, in loop: RenderLoop
    ) async throws(SessionError) {
        // Those that the graph has no more are closed once it is drawn.
        let (feeds, receivers) = (sources.feeds(of: wanted(by: state.graph)), outputs.receivers)
        let known = Set(feeds.keys)
        guard plan != installed?.plan || known != installed?.feeds || !motions.isEmpty else { return }
        let motion = motions.isEmpty ? nil : (score: motions, state: state)
        if let motion, plan.executor == .gl || plan.isMixed {
            await rehearsal(loop).run(motion.score, motion.state)
        }
        try await loop.makeReady(plan, framesInFlight: framesInFlight, on: executors.gpu)
        let main = state.main
        let rates = state.graph.outputRates
        await executors.gpu.perform { gpu in
            loop.install(
                feeds: feeds, formats: state.formats, receivers: receivers, rates: rates, main: main, motion: motion,
                on: gpu)
        }
        // What moves is another plan at every frame.
        installed = motion == nil ? (plan, known) : nil
        publish(plan)
    }

    /// The plan of a graph as it is to be drawn now; opens OpenGL ES for one that the CPU cannot draw.
    private func planned(_ graph: Graph) async throws(SessionError) -> (plan: RenderPlan, state: PlanningState) {
        let state = state(of: graph)
        do throws(SessionError) {
            return (try state.plan(), state)
        } catch .graph(.undrawable(let effects)) {
            guard await executors.openForPlan() else { throw .graph(.undrawable(effects: effects)) }
        }
        let other = self.state(of: graph)
        return (try other.plan(), other)
    }

    private func publish(_ plan: RenderPlan) {
        published.set(plan, SessionRenderer(plan, executors.gpu.capabilities))
    }

    /// Frames for which each output has memory: those that wait for it, those that it works on, those being drawn.
    private var framesInFlight: Int { options.queueCapacity + outputs.heldFrames + 3 }

    /// All facts of a graph as it is to be drawn now.
    private func state(of graph: Graph) -> PlanningState {
        PlanningState(
            graph: graph, main: main(of: graph), presence: presence, formats: sources.formats, stands: sources.stands,
            zooms: sources.zooms(in: graph),
            requests: outputs.requests, capabilities: executors.capabilities, fuses: options.fuses,
            effects: relief.current.effects, time: loop?.shared.withLock { $0.time } ?? .zero)
    }

    /// The source that the output keeps time with.
    func main(of graph: Graph) -> NodeID? { graph.mainSource(of: root) }

    /// The rate of the output, and whether it may run faster than time.
    func timing(_ graph: Graph) -> (rate: FrameRate, isOffline: Bool) {
        let main = main(of: graph).flatMap { sources.feeds[$0]?.rate } ?? FrameRate(30)
        let isLive = sources.feeds.values.contains(where: \.inlet.isLive)
        let rate = if case .rate(let rate) = options.clock { rate } else { main }
        return (rate, options.pace == .maximum && !isLive)
    }

    // MARK: Sources

    /// The sources that are open for a graph: those of its outputs, and those of its main picture, drawn on or not.
    private func wanted(by graph: Graph) -> [NodeID] { graph.sources(below: graph.sinks + (root.map { [$0] } ?? [])) }

    private func openSources(of graph: Graph, _ interruption: Interruption) async throws(SessionError) {
        let context = OpeningContext(
            cameras: cameras, clock: options.time, interruption: interruption, logger: options.logger,
            waitsForCameras: options.startsWithoutCameras,
            sharesBuffers: options.bufferSharing.isWanted(on: executors.gpu.capabilities),
            // Weak: what is published holds the sources.
            onCameraEvent: { [notes, weak published] id, name, event in
                notes.note(event, of: id, name: name, in: published)
            },
            onLiveChange: { [notes, weak published] id, name, change in
                notes.note(change, of: id, name: name, in: published)
            }, onError: { [journal = notes.journal] in journal.sourceFailed($0) })
        try await sources.open(wanted(by: graph), of: graph, main: main(of: graph), context)
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
    func closeUnused(by graph: Graph) async {
        for feed in sources.take(except: Set(wanted(by: graph))) { await sources.stop(feed, on: executors.gpu) }
        let deadline = options.time.now.advanced(by: options.closingTime)
        await outputs.close(except: Set(graph.sinks), by: deadline)
    }

    // MARK: The render loop

    /// Makes the loop that draws, and draws a graph with it.
    ///
    /// - Parameters:
    ///   - graph: The first graph.
    ///   - limits: When it ends by itself.
    ///   - timing: The rate of the output, and whether it may run faster than time.
    ///   - signals: Told what happens in the loop.
    ///   - stop: Ends the session.
    /// - Returns: The loop, which does not tick yet.
    /// - Throws: ``SessionError`` or ``OutputFailure`` when the graph cannot be drawn.
    func start(
        _ graph: Graph, limits: RenderLoop.Limits, _ timing: (rate: FrameRate, isOffline: Bool),
        _ signals: LoopSignals, stop: StopSignal
    ) async throws -> RenderLoop {
        let (journal, published) = (notes.journal, published)
        let loop = RenderLoop(
            gpu: executors.gpu, rate: timing.rate, isOffline: timing.isOffline,
            followsCamera: options.clock == .mainCamera, limits: limits, patience: options.patience,
            threads: DrawingThreads(options.drawingThreads), clock: options.time,
            heartbeat: options.heartbeat
        ) { signals.note($0, journal) }
        self.loop = loop
        published.begin(loop, stop)
        circumstances = OutputCircumstances(
            rate: timing.rate, isLive: !timing.isOffline, capacity: options.queueCapacity, clock: options.time,
            onEvent: { journal.yield(SessionEvent($0)) },
            // Weak: what is published holds the outputs.
            onError: { [weak published] in journal.sinkFailed($0, of: published?.outputs.count ?? 0, stop) })
        if !timing.isOffline { await rehearse(graph, in: loop) }
        try await update(to: graph, readingFrom: timing.rate.offset(ofFrame: limits.first))
        return loop
    }

    /// Makes everything ready once that there may be to draw without one of the cameras and streams.
    ///
    /// Compiling takes longer than a frame may: the picture without one of them has to be compiled before that is lost.
    private func rehearse(_ graph: Graph, in loop: RenderLoop) async {
        var plans: Set<RenderPlan> = []
        for id in sources.vanishingIDs {
            for absence in [Presence.gone, .none] {
                var state = state(of: graph)
                state.presence = [id: absence]
                // What cannot be drawn is reported when it comes to that.
                if let plan = try? state.plan() { plans.insert(plan) }
            }
        }
        await rehearsal(loop).run(plans)
    }

    private func rehearsal(_ loop: RenderLoop) -> Rehearsal {
        Rehearsal(loop: loop, gpu: executors.gpu, framesInFlight: framesInFlight)
    }

    /// Makes everything that draws anew, on another context.
    ///
    /// - Throws: ``SessionError`` when there is no GPU any more, or it does not draw the graph.
    func replaceContext(_ graph: Graph) async throws(SessionError) {
        try await executors.replaceContext()
        loop?.move(to: executors.gpu)
        installed = nil
        do { try await update(to: graph) } catch { throw SessionError(any: error) }
    }

    // MARK: Pressure

    /// Makes cameras and outputs follow the relief.
    func applyRelief(_ graph: Graph) async {
        outputs.relieve(by: relief.current.encoding)
        guard let loop else { return }
        let limit = relief.outputLimit
        await executors.gpu.perform { _ in loop.setPace(limit) }
        let main = main(of: graph)
        for id in sources.cameraIDs {
            guard let camera = sources.camera(id) else { continue }
            await relief.apply(to: camera, id, isMain: id == main, isWanted: graph.camera(id)?.isEnabled ?? true)
        }
    }

    /// Output frames a second as far as the relief allows.
    var pacedRate: FrameRate {
        let rate = circumstances?.rate ?? FrameRate(30)
        return relief.outputLimit.map { min($0, rate) } ?? rate
    }

    /// What the session is expected to cost while a relief holds.
    func predictedCost(of graph: Graph, under relief: PressureRelief) throws(SessionError) -> SessionCost {
        try SessionCost.predicted(state(of: graph), under: relief, sources.listed.feeds, rate: timing(graph).rate)
    }

    /// The filter that most probably makes frames take far too long; nil without any.
    func slowEffect(of graph: Graph) -> NodeID? {
        let state = state(of: graph)
        return effects.slowest(of: graph) { other in
            var changed = state
            changed.graph = other
            let cost = (try? changed.plan())?.cost
            return (cost?.pixels ?? 0) + (cost?.rowPixels ?? 0)
        }
    }

    // MARK: Closing

    /// Ends the wait for sources that are being opened; none is opened after this.
    func stopOpening() { closing.raise() }

    /// Stops every source.
    func stopSources() async { await sources.stopAll() }

    /// Finishes every file by a deadline; may be called again with an earlier one while it still waits.
    func finishOutputs(by deadline: Timestamp) async { await outputs.finishAll(by: deadline) }

    /// Lets go of the GPU's objects.
    func dismantle() async {
        if let loop { await executors.gpu.perform { _ in loop.dismantle() } }
        loop = nil
    }
}
