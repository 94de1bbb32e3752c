internal import Logging
internal import PipRender
internal import Synchronization

/// Performs the actions that a session's state demands: opens, plans, draws, closes.
///
/// Owns the sources, the outputs, the executors and the render loop.
///
/// Thread: the session's controller only, one change at a time.
final class SessionPipeline {
    let sources: SourceRegistry
    let executors: PlanExecutors
    let published: Published
    let cameraRelief: CameraRelief
    private(set) var state = SessionState()
    private(set) var loop: RenderLoop?
    private let outputs: OutputRegistry
    private let options: SessionOptions
    private let wiring: Wiring
    private let cameras: CameraDirectory
    private let matcher: CameraMatcher
    private let observer: SourceObserver
    private let journal: SessionJournal
    private(set) var effects = EffectWatch()
    /// The changes of running cameras while a proposal is prepared; nil otherwise.
    private var cameraUpdate: CameraUpdate?
    /// Raised when the session closes: no source may be opened after that.
    private let closing = Interruption()

    init(
        _ wiring: Wiring, _ options: SessionOptions, _ cameras: CameraDirectory, _ matcher: CameraMatcher,
        _ journal: SessionJournal
    ) {
        self.wiring = wiring
        self.options = options
        self.cameras = cameras
        self.matcher = matcher
        self.journal = journal
        let logger = options.logger
        let slateBoard = SlateBoard(caption: options.slateCaption) { logger?.warning("\($0)") }
        observer = SourceObserver(
            journal: journal, slateBoard: slateBoard, log: SourceLog(), arrived: matcher.arrived)
        executors = PlanExecutors(options)
        sources = SourceRegistry(slateBoard: slateBoard, log: observer.log)
        outputs = OutputRegistry(options, journal)
        cameraRelief = CameraRelief(options, journal)
        published = Published(sources: sources.listed, outputs: outputs.listed, options, journal)
    }

    /// The planner, which makes plans in the session's present state.
    var planner: SessionPlanner {
        SessionPlanner(
            sources: sources, outputs: outputs, executors: executors, options: options, results: published.results,
            state: state)
    }

    // MARK: Beginning

    /// Opens the sources of a graph, and plans the graph once.
    ///
    /// When the task is cancelled, sources that wait for a network or a user give up.
    ///
    /// - Throws: ``SessionError`` when a source cannot be opened or the graph cannot be drawn. The opened sources
    ///   stay open.
    func open(_ graph: Graph) async throws(SessionError) {
        state = SessionState(root: graph.sinks.first.flatMap { graph.inputs(of: $0).first })
        try await executors.prepare()
        let opening = Interruption()
        let failure = await withTaskCancellationHandler { () -> SessionError? in
            do throws(SessionError) { try await openSources(of: graph, opening) } catch { return error }
            return await outputs.openInputs(of: graph, opening, by: options.time).map { .source($0.error) }
        } onCancel: {
            opening.raise()
        }
        if let failure { throw failure }
        do throws(OutputFailure) { try outputs.readRequests(of: graph) } catch { throw .sink(error.error) }
        let (plan, _) = try await planner.planned(graph)
        outputs.pin(plan)
        publish(plan)
    }

    /// Creates the render loop, and sets the graph that the loop draws.
    ///
    /// - Returns: The loop, which does not tick yet.
    /// - Throws: ``SessionError`` or ``OutputFailure`` when the graph cannot be drawn.
    func start(_ graph: Graph, _ timing: RenderTiming, _ signals: LoopSignals) async throws -> RenderLoop {
        let loop = RenderLoop(timing, options, results: published.results) { [journal] in signals.note($0, journal) }
        self.loop = loop
        if !timing.isOffline { await planner.rehearse(graph, in: loop) }
        try await propose(graph, .start)
        return loop
    }

    // MARK: From an event to the picture

    /// Applies an event to the state, and performs the actions that the state returns.
    ///
    /// - Throws: The error of the first action that fails. The actions after it are skipped.
    func handle(_ event: SessionState.Event) async throws {
        for action in state.apply(event) { try await perform(action) }
    }

    /// Draws a graph from the next frame on, in the motion style once there is a render loop.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn, ``OutputFailure`` when an output cannot be opened.
    ///   The former graph goes on.
    func propose(_ graph: Graph, _ origin: SessionState.Origin, _ style: MotionStyle? = nil) async throws {
        do {
            try await handle(.motionsEnded(published.results.withLock { $0.endedMotions }))
            try await handle(.proposed(graph, origin, loop == nil ? nil : style))
        } catch {
            try await handle(.failed(SessionState.Failure(error)))
            throw error
        }
        try await handle(.drawn)
    }

    /// Draws the wiring's present graph.
    ///
    /// A change that cannot be drawn is undone in the wiring, and reported.
    func redraw() async {
        guard !state.isClosing else { return }
        wiring.collect()
        let (graph, version) = wiring.snapshot
        // Handling the failure has reported the error already.
        try? await propose(graph, .wiring(version: version))
    }

    private func perform(_ action: SessionState.Action) async throws {
        switch action {
        case .openSources:
            guard let proposal = state.proposal else { return }
            try await openSources(of: proposal.plannedGraph, closing)
            try await openInputs(of: proposal.graph)
            awaitFirstFrames()
        case .setCameras:
            guard let graph = state.proposal?.graph else { return }
            cameraUpdate = try await CameraUpdate(
                to: graph, main: state.main(of: graph), sources, state.relief, cameras)
        case .draw: try await draw()
        case .keepCameras: await cameraUpdate.take()?.keep(sources, cameraRelief, matcher)
        case .restoreCameras: await cameraUpdate.take()?.takeBack()
        case .close(let wantedSources, let wantedOutputs):
            await sources.close(except: wantedSources, on: executors.gpu)
            await outputs.close(except: wantedOutputs)
        case .relieve: await relieve()
        case .redraw: await redraw()
        case .drop(let failure): drop(failure)
        case .undo(let error): await undo(because: error)
        case .report(let error): journal.yield(.changeRejected(error))
        case .replaceContext: try await replaceContext()
        case .finishSoon: await finishOutputs()
        case .end(let error): throw error
        }
    }

    private func openSources(of graph: Graph, _ interruption: Interruption) async throws(SessionError) {
        let context = OpeningContext(
            cameras: cameras, clock: options.time, interruption: interruption, logger: options.logger,
            waitsForCameras: options.startsWithoutCameras,
            sharesBuffers: options.bufferSharing.isWanted(on: executors.gpu.capabilities),
            onCameraEvent: { [observer] id, name, event in observer.note(event, of: id, name: name) },
            onLiveChange: { [observer] id, name, change in observer.note(change, of: id, name: name) },
            onError: { [journal] in journal.sourceFailed($0) })
        try await sources.open(state.sources(of: graph), of: graph, main: state.main(of: graph), context)
    }

    /// Opens the files that new outputs read beside their pictures.
    private func openInputs(of graph: Graph) async throws(OutputFailure) {
        guard let (id, error) = await outputs.openInputs(of: graph, closing, by: options.time) else { return }
        throw OutputFailure(id: id, error: SinkError(graph.label(of: id), "begin", .cannotCreate, error.description))
    }

    /// Leaves the sources that join a live output out of its plans until they have a frame: the layers that they will
    /// hide are drawn until then.
    private func awaitFirstFrames() {
        guard let loop, !loop.timing.isOffline, state.installed != nil else { return }
        for feed in sources.waiting { feed.awaitFirstFrame() }
    }

    /// Plans the proposal, opens its outputs, and draws it from the next frame on.
    private func draw() async throws {
        guard let proposal = state.proposal else { return }
        let graph = proposal.graph
        try outputs.readRequests(of: graph)
        let (plan, facts) = try await planner.planned(proposal.plannedGraph)
        outputs.pin(plan)
        effects.note(graph)
        sources.openPlaceholders(for: plan)
        guard let loop else { return publish(plan) }
        let timing = loop.timing
        let setting = OutputSetting(rate: timing.rate, isLive: !timing.isOffline, sources: sources.feeds)
        try outputs.open(plan, of: graph, setting)
        let offset = proposal.origin == .start ? timing.rate.offset(ofFrame: timing.limits.first) : .zero
        try await sources.start(at: offset, by: options.time)
        try await install(plan, facts, proposal.motions, in: loop)
    }

    /// Draws a plan from the next frame on, unless this plan is installed with the same sources and nothing moves.
    private func install(
        _ plan: RenderPlan, _ facts: PlanningState, _ motions: MotionSchedule, in loop: RenderLoop
    ) async throws {
        // Sources that only the former graph has stay open until this plan is drawn.
        let feeds = sources.feeds(of: state.sources(of: facts.graph))
        let installation = Installation(feeds: feeds, receivers: outputs.receivers, facts: facts, motions: motions)
        let known = Set(feeds.keys)
        guard plan != published.results.plan || !state.isInstalled(known) else { return }
        if !motions.isEmpty, plan.executor == .gl || plan.isMixed {
            await planner.rehearsal(in: loop).run(motions, facts)
        }
        try await loop.makeReady(plan, framesInFlight: outputs.framesInFlight, on: executors.gpu)
        await executors.gpu.perform { gpu in loop.install(installation, on: gpu) }
        let renderer = SessionRenderer(plan, executors.gpu.capabilities)
        published.results.withLock { $0.renderer = renderer }
        try await handle(.installed(sources: known))
    }

    /// Publishes a plan to other threads before a render loop exists.
    private func publish(_ plan: RenderPlan) {
        let renderer = SessionRenderer(plan, executors.gpu.capabilities)
        published.results.withLock { ($0.plan, $0.renderer) = (plan, renderer) }
    }

    // MARK: When something has failed

    /// Removes an output that cannot be opened from the wiring, and reports its error.
    private func drop(_ failure: OutputFailure) {
        let graph = wiring.snapshot.graph
        graph.connectedSink(failure.id)?.status.failed(failure.error)
        outputs.forget(failure.id)
        wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(failure.id) }
        journal.yield(.sinkFailed(failure.error))
    }

    /// Reverts the failed proposal's changes in the wiring, so that later changes can be drawn.
    private func undo(because error: SessionError) async {
        guard let graph = state.proposal?.graph, let accepted = state.accepted,
            case .wiring(let version)? = state.proposal?.origin
        else { return }
        wiring.edit { (now: inout Graph) throws(Never) in now.undo(graph, to: accepted) }
        let now = wiring.snapshot.version
        try? await handle(.undone(version: now == version + 1 ? now : nil))
        for id in graph.sinks where accepted[id] == nil { graph.connectedSink(id)?.takeBack(because: error) }
    }

    /// Replaces the GPU context, and draws the wiring's graph with the new one.
    private func replaceContext() async throws {
        try await executors.replaceContext()
        loop?.forgetContext()
        try await handle(.contextReplaced)
        try await propose(wiring.graph, .newContext)
    }

    // MARK: Pressure

    /// Applies the relief in force to the outputs, the loop and the cameras.
    private func relieve() async {
        let relief = state.relief
        outputs.relieve(by: relief.encoding)
        guard let loop, let graph = state.drawn else { return }
        await executors.gpu.perform { _ in loop.setPace(relief.outputLimit) }
        let main = state.main(of: graph)
        for id in sources.cameraIDs {
            guard let camera = sources.camera(id) else { continue }
            await cameraRelief.apply(
                relief.cameraLimit(isMain: id == main), to: camera, id, isEnabled: graph.camera(id)?.isEnabled ?? true)
        }
    }

    /// The output rate under the relief in force.
    var pacedRate: FrameRate {
        let rate = loop?.timing.rate ?? FrameRate(30)
        return state.relief.outputLimit.map { min($0, rate) } ?? rate
    }

    // MARK: Closing

    /// Ends the wait for sources that are being opened, and the opening of sources altogether.
    func stopOpening() { closing.raise() }

    /// Finishes every file: within the closing time when the session was asked to stop, and without a limit otherwise.
    ///
    /// The controller may call this method again while the first call still waits.
    func finishOutputs() async {
        var deadline = Timestamp.distantFuture
        if state.isHurried {
            // A relief that stops the session means that the machine is about to shut down.
            let isUrgent = state.relief.isStopped
            deadline = options.time.now.advanced(
                by: isUrgent ? min(options.closingTime, .seconds(1)) : options.closingTime)
        }
        await outputs.finishAll(by: deadline)
    }

    /// Releases all GPU objects.
    func dismantle() async {
        if let loop { await executors.gpu.perform { _ in loop.dismantle() } }
        loop = nil
    }
}
