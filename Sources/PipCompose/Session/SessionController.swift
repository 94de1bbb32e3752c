internal import Logging
internal import PipRender
internal import Synchronization

/// Opens and closes what a session uses, and keeps its plan up to date. Never blocks; drawing happens elsewhere.
actor SessionController {
    /// What others read without waiting.
    struct Published {
        var plan = RenderPlan()
        var feeds: [SourceFeed] = []
        var sinks: [(name: String, receiver: any FrameReceiver)] = []
        var loop: RenderLoop?
        var pressure = SessionStatistics.Pressure()
        /// Ends the run.
        var stop: StopSignal?
    }

    nonisolated let published: Mutex<Published> = Mutex(Published())
    var gpu: RenderContext
    /// How long the machine takes for its work; nil when it is not known.
    private let weights: WorkWeights?
    /// When the GPU was reset, lately.
    var losses: [Timestamp] = []
    let options: SessionOptions
    let cameras: CameraDirectory
    nonisolated let events: AsyncStream<SessionEvent>.Continuation
    nonisolated let slateBoard: SlateBoard
    var feeds: [NodeID: SourceFeed] = [:]
    /// The graph's own sources, as they were opened.
    var feedOrder: [NodeID] = []
    var slates: [NodeID: NodeID] = [:]
    var requests: [NodeID: SinkRequest] = [:]
    var sinks: [NodeID: any FrameReceiver] = [:]
    var loop: RenderLoop?
    /// The plan that the loop draws with.
    var installed: RenderPlan?
    /// The sources that the loop knows.
    var installedFeeds: Set<NodeID> = []
    var presence: [NodeID: Presence] = [:]
    var started: Set<NodeID> = []
    var sinkSettings: SinkSettings?
    var isBusy = false
    /// Whether somebody asked to stop.
    var isHurried = false
    /// Whether the last frame was handed over.
    var isClosing = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Which filters have changed when.
    var filterEdits: [NodeID: FilterEdit] = [:]
    var filterEditCount = 0
    var governor: PressureGovernor
    /// What is given up for now.
    var relief = PressureRelief()
    var pinnedLevel: PressureLevel?
    var pressureMonitor: PressureMonitor?
    var pressureStream: AsyncStream<PressureSample>.Continuation?
    var isGoverningOver = false
    /// Cameras that are switched off for relief, and not because somebody wanted it.
    var switchedOff: Set<NodeID> = []
    /// Cameras that did not follow a relief, and until when they are left alone.
    var reliefPauses: [NodeID: Timestamp] = [:]
    /// Cameras that were set to a smaller mode for relief, and what they had been configured to be.
    var sizeLimits: [NodeID: PixelSize] = [:]
    var configuredWishes: [NodeID: CameraWish] = [:]
    /// Cameras that keep exposure and white balance, and those that may have to.
    var matched: Set<NodeID> = []
    nonisolated let arrivals = AsyncStream.makeStream(of: NodeID.self, bufferingPolicy: .bufferingNewest(64))
    /// Whether the session ends because of pressure: then there is little time.
    var isStoppedByPressure = false
    nonisolated let failures: Mutex<Failures> = Mutex(Failures())

    struct Failures {
        var sinks: [SinkError] = []
        var source: SourceError?
        /// What ended the session at once.
        var fatal: SessionError?
        /// Drivers that do not answer, and whether more of them mean nothing any more.
        var hungDrivers = 0
        var isClosing = false
    }

    init(
        gpu: RenderContext, weights: WorkWeights?, options: SessionOptions, cameras: CameraDirectory,
        events: AsyncStream<SessionEvent>.Continuation
    ) {
        self.gpu = gpu
        self.weights = weights
        self.options = options
        self.cameras = cameras
        self.events = events
        let logger = options.logger
        slateBoard = SlateBoard(caption: options.slateCaption) { logger?.warning("\($0)") }
        governor = PressureGovernor(options.pressure.policy)
        pinnedLevel = options.pressure.pinned
    }

    // MARK: Opening

    /// Opens the sources of a graph, and plans it once.
    func open(_ graph: Graph) async throws(SessionError) {
        do throws(SessionError) {
            try openSources(of: graph)
            try readRequests(of: graph)
            let plan = try plan(graph)
            pinOutputs(of: plan)
            published.withLock { $0.plan = plan }
        } catch {
            await close()
            throw error
        }
    }

    func openSources(of graph: Graph) throws(SessionError) {
        let events = events
        let context = OpeningContext(
            cameras: cameras, clock: options.time, logger: options.logger,
            waitsForCameras: options.startsWithoutCameras,
            sharesBuffers: options.bufferSharing.isWanted(on: gpu.capabilities),
            wishes: jointWishes(of: graph),
            onCameraEvent: { [weak self] id, name, event in
                events.yield(.camera(name: name, event: event))
                self?.slateBoard.note(event, of: id, name: name)
                self?.note(event, of: id)
            },
            onError: { [weak self] error in
                events.yield(.sourceFailed(error))
                self?.failures.withLock { $0.source = $0.source ?? error }
            })
        for id in graph.sources where feeds[id] == nil {
            guard case .source(let specification)? = graph[id], let source = specification as? any OpenableSource else {
                continue
            }
            feeds[id] = try source.open(id, context)
            feedOrder.append(id)
        }
        publishFeeds()
    }

    private nonisolated func note(_ event: CameraEvent, of id: NodeID) {
        if event.isArrival { arrivals.continuation.yield(id) }
        if case .lost(let error) = event, error.kind == .hanging { noteHungDriver(error) }
        let feed = published.withLock { published in published.feeds.first { $0.id == id } }
        feed?.counters.withLock { if $0.events.count < 64 { $0.events.append(event.description) } }
    }

    private func publishFeeds() {
        let listed = feedOrder.compactMap { feeds[$0] }
        published.withLock { $0.feeds = listed }
    }

    func readRequests(of graph: Graph) throws(SessionError) {
        for id in graph.sinks where requests[id] == nil {
            guard case .sink(let specification, _)? = graph[id], let sink = specification as? any OpenableSink else {
                continue
            }
            do throws(SinkError) {
                let request = try sink.request()
                guard SinkRequest.formats.contains(request.format) else {
                    let formats = SinkRequest.formats.map(\.rawValue).joined(separator: ", ")
                    throw SinkError(
                        sink.label, "take \(request.format.rawValue) frames", .invalidOptions,
                        "frames are made as one of \(formats)")
                }
                requests[id] = request
            } catch {
                throw .sink(error)
            }
        }
    }

    /// Keeps the size and colours of each output as they were first planned: a file cannot change them.
    func pinOutputs(of plan: RenderPlan) {
        for output in plan.outputs {
            for sink in output.sinks {
                requests[sink]?.size = output.layout.size
                requests[sink]?.colorimetry = output.colorimetry
            }
        }
    }

    /// What the planner needs to know of the machine.
    var capabilities: PlanCapabilities {
        var capabilities = gpu.capabilities.plan
        capabilities.weights = weights
        return capabilities
    }

    /// Plans a graph as it is to be drawn now, with every layer's policy applied to sources that are missing.
    func plan(_ graph: Graph) throws(SessionError) -> RenderPlan { try plan(graph, where: presence) }

    /// Plans a graph as it is to be drawn when there is something or nothing to show of each source.
    ///
    /// `known`: The formats of the sources; those that are not listed are as they are.
    func plan(
        _ graph: Graph, where presence: [NodeID: Presence], formats known: [NodeID: SourceFormat] = [:]
    ) throws(SessionError) -> RenderPlan {
        do throws(GraphError) { try graph.validate() } catch { throw SessionError(error) }
        var wanted: [NodeID] = []
        var resolved = graph.resolvingAbsence(presence) { source in
            let slate = slate(for: source)
            wanted.append(slate)
            return slate
        }
        for id in wanted {
            if let feed = feeds[id] { resolved.set(.source(SlateSpecification(label: feed.name)), for: id) }
        }
        var formats: [NodeID: SourceFormat] = [:]
        for (id, feed) in feeds where presence[id] != Presence.none { formats[id] = known[id] ?? feed.format }
        let input = PlanInput(
            graph: resolved, sources: formats, sinks: requests, capabilities: capabilities,
            fuses: options.fuses, effectQuality: relief.effects,
            time: loop?.shared.withLock { $0.time } ?? .zero)
        do throws(GraphError) { return try Planner.plan(input) } catch { throw SessionError(error) }
    }

    /// The node that stands for a source without frames, of the same size.
    private func slate(for source: NodeID) -> NodeID {
        if let id = slates[source] { return id }
        let id = NodeID()
        let missing = feeds[source]
        let size = missing.map { $0.format.orientation.size(of: $0.format.layout.size) } ?? .hd720
        let picture = slateBoard.picture(for: source, size: size)
        var format = SourceFormat(layout: picture.description.layout, colorimetry: picture.description.colorimetry)
        format.isStill = true
        slates[source] = id
        feeds[id] = SourceFeed(
            id: id, name: "slate for \(missing?.name ?? "a source")", inlet: .picture(picture), format: format,
            rate: nil)
        return id
    }
}

extension CameraEvent {
    /// Whether a camera is there that may not have been before.
    fileprivate var isArrival: Bool {
        switch self {
        case .started, .reopened: true
        default: false
        }
    }
}
