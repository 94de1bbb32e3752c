internal import PipRender
internal import Synchronization

extension SessionController {
    /// The rate of the output, and whether it may run faster than time.
    func timing(_ graph: Graph) -> (rate: FrameRate, isOffline: Bool) {
        let main = graph.mainSource.flatMap { feeds[$0]?.rate } ?? FrameRate(30)
        let isLive = feeds.values.contains(where: \.isLive)
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
        let ended = StopSignal()
        let losses = AsyncStream.makeStream(of: Void.self)
        let slowness = AsyncStream.makeStream(of: Duration.self)
        let loop = makeLoop(
            limits, rate, isOffline: isOffline, changed: changed, lost: losses.continuation,
            slow: slowness.continuation, ended: ended)
        published.withLock { $0.stop = stop }
        sinkSettings = SinkSettings(rate: rate, isLive: !isOffline, stop: stop)
        if !isOffline { await rehearse(wiring.graph, in: loop) }
        do throws(SessionError) {
            try await update(to: wiring.graph)
        } catch {
            await close()
            return error
        }
        if stop.isRaised { loop.end() }
        loop.begin()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow(changes, of: wiring) }
            group.addTask { await self.replaceContexts(losses.stream, of: loop, wiring, ended: ended) }
            if !isOffline { group.addTask { await self.govern(wiring, loop, stop: stop) } }
            if let matching = options.cameraMatching { group.addTask { await self.matchCameras(of: wiring, matching) } }
            group.addTask {
                for await work in slowness.stream { await self.switchOffSlowEffect(of: wiring, after: work) }
            }
            group.addTask {
                await stop.wait()
                loop.end()
                await self.hurry()
            }
            await ended.wait()
            changed.finish()
            losses.continuation.finish()
            slowness.continuation.finish()
            arrivals.continuation.finish()
            endGoverning()
            await close()
            stop.raise()
        }
        return failure
    }

    /// Makes the loop that draws from now on, which tells of what happens in it.
    private func makeLoop(
        _ limits: RenderLoop.Limits, _ rate: FrameRate, isOffline: Bool, changed: AsyncStream<Void>.Continuation,
        lost: AsyncStream<Void>.Continuation, slow: AsyncStream<Duration>.Continuation, ended: StopSignal
    ) -> RenderLoop {
        let events = events
        let made = RenderLoop(
            gpu: gpu, rate: rate, isOffline: isOffline, limits: limits, patience: options.patience, clock: options.time,
            heartbeat: options.heartbeat
        ) { event in
            switch event {
            case .started: events.yield(.started)
            case .presenceChanged, .planOutdated: changed.yield()
            case .sharingRefused(let error): events.yield(.sharingRefused(error))
            case .drawingFailed(let error): events.yield(.drawingFailed(error))
            case .contextLost: lost.yield()
            case .framesTooSlow(let work): slow.yield(work)
            case .ended: ended.raise()
            }
        }
        loop = made
        published.withLock { $0.loop = made }
        return made
    }

    /// Draws every change of the graph, and of what there is to show.
    private func follow(_ changes: AsyncStream<Void>, of wiring: Wiring) async {
        for await _ in changes {
            await hold()
            do throws(SessionError) {
                try await update(to: wiring.graph)
            } catch {
                events.yield(.changeRejected(error))
            }
            release()
        }
    }

    /// Waits until no one else changes the session, and keeps others from it.
    func hold() async {
        while isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
    }

    func release() {
        isBusy = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Opens what a graph needs, plans it and draws it from the next frame on; closes what it does not need any more.
    ///
    /// - Throws: ``SessionError`` when it cannot be drawn; then what was drawn before goes on.
    func update(to graph: Graph) async throws(SessionError) {
        if let loop { presence = loop.shared.withLock { $0.presence } }
        try openSources(of: graph)
        noteNewFeeds()
        try readRequests(of: graph)
        let formats = feeds.mapValues(\.format)
        let plan = try plan(graph, where: presence, formats: formats)
        pinOutputs(of: plan)
        noteEdits(of: graph)
        guard let loop, let sinkSettings else {
            published.withLock { $0.plan = plan }
            return
        }
        try openSinks(of: graph, plan: plan, sinkSettings)
        try startFeeds()
        if plan != installed || Set(feeds.keys) != installedFeeds {
            try await makeReady(plan, in: loop)
            let (feeds, receivers) = (feeds, sinks)
            let main = graph.mainSource
            await gpu.perform { _ in
                loop.install(feeds: feeds, formats: formats, receivers: receivers, main: main)
            }
            (installed, installedFeeds) = (plan, Set(feeds.keys))
            published.withLock { $0.plan = plan }
        }
        await closeUnused(graph)
        await applyRelief(graph)
    }

    /// A source that joins a live output is drawn once it has a frame: what it will hide is drawn until then.
    private func noteNewFeeds() {
        guard let loop, sinkSettings?.isLive == true, installed != nil else { return }
        for (id, feed) in feeds where !started.contains(id) && feed.mayBeLate {
            // The render thread does not know it yet.
            feed.reported = .none
            presence[id] = Presence.none
            loop.shared.withLock { $0.presence[id] = Presence.none }
        }
    }

    /// Makes a plan ready to be installed while the one before it is drawn.
    ///
    /// Each step is a job of its own on the render thread, so that ticks come in between.
    func makeReady(_ plan: RenderPlan, in loop: RenderLoop) async throws(SessionError) {
        let inFlight = options.queueCapacity + 3
        do throws(GLError) {
            for pass in plan.passes {
                try await gpu.perform { (gpu) throws(GLError) in try loop.compile(pass, on: gpu) }
            }
            try await gpu.perform { (gpu) throws(GLError) in
                try loop.prepare(plan, framesInFlight: inFlight, on: gpu)
            }
        } catch {
            throw .gpu(error)
        }
        for index in plan.passes.indices { await gpu.perform { loop.warmUp(index, on: $0) } }
    }

    private func startFeeds() throws(SessionError) {
        for (id, feed) in feeds where !started.contains(id) {
            do throws(CaptureError) { try feed.start() } catch { throw .camera(error) }
            started.insert(id)
        }
    }

    private func openSinks(of graph: Graph, plan: RenderPlan, _ settings: SinkSettings) throws(SessionError) {
        for output in plan.outputs {
            for id in output.sinks where sinks[id] == nil {
                guard case .sink(let specification, _)? = graph[id], let sink = specification as? any OpenableSink
                else {
                    continue
                }
                let events = events
                let context = SinkContext(
                    info: FrameInfo(layout: output.layout, colorimetry: output.colorimetry), rate: settings.rate,
                    capacity: options.queueCapacity, policy: settings.policy, clock: options.time,
                    onEvent: { events.yield(SessionEvent($0)) },
                    onError: { [weak self] in self?.noteSinkFailure($0, stop: settings.stop) })
                do throws(SinkError) {
                    let receiver = try sink.open(context)
                    sinks[id] = receiver
                    published.withLock { $0.sinks.append((sink.label, receiver)) }
                } catch {
                    throw .sink(error)
                }
            }
        }
    }

    /// A failed sink is reported and left out; when none is left, the session ends.
    private nonisolated func noteSinkFailure(_ error: SinkError, stop: StopSignal) {
        events.yield(.sinkFailed(error))
        let failed = failures.withLock { failures in
            failures.sinks.append(error)
            return failures.sinks.count
        }
        if failed >= published.withLock({ $0.sinks.count }) { stop.raise() }
    }

    /// Closes sources and sinks that a graph has no more; their numbers stay in the statistics.
    private func closeUnused(_ graph: Graph) async {
        let slateIDs = Set(slates.values)
        let sources = Set(graph.sources)
        for (id, feed) in feeds where !sources.contains(id) && !slateIDs.contains(id) {
            feeds[id] = nil
            started.remove(id)
            await feed.stop()
            await gpu.perform { _ in feed.release() }
        }
        let wanted = Set(graph.sinks)
        for (id, sink) in sinks where !wanted.contains(id) {
            sinks[id] = nil
            requests[id] = nil
            await sink.finish(by: options.time.now.advanced(by: options.closingTime))
        }
    }

    /// Stops every source, finishes every file, and lets go of the GPU's objects.
    func close() async {
        failures.withLock { $0.isClosing = true }
        await stopFeeds()
        isClosing = true
        // As long as it takes, unless somebody asked to stop.
        await finishSinks(by: isHurried ? options.time.now.advanced(by: closingTime) : .distantFuture)
        if let loop { await gpu.perform { _ in loop.dismantle() } }
        loop = nil
    }

    /// Stops every source, all at once: a camera whose driver hangs costs the others no time.
    private func stopFeeds() async {
        let feeds = Array(feeds.values)
        await withTaskGroup(of: Void.self) { group in
            for feed in feeds { group.addTask { await feed.stop() } }
        }
    }

    /// How long files may take to be finished.
    private var closingTime: Duration {
        isStoppedByPressure ? min(options.closingTime, .seconds(1)) : options.closingTime
    }

    /// Gives every file as long to be finished as the options allow, once the last frame was handed over.
    private func hurry() async {
        isHurried = true
        if isClosing { await finishSinks(by: options.time.now.advanced(by: closingTime)) }
    }

    private func finishSinks(by deadline: Timestamp) async {
        let receivers = Array(sinks.values)
        await withTaskGroup(of: Void.self) { group in
            for receiver in receivers { group.addTask { await receiver.finish(by: deadline) } }
        }
    }

    /// The camera of a node; nil when it is no camera of this session.
    func camera(_ id: NodeID) -> CameraSlot? {
        if case .camera(let camera)? = feeds[id]?.inlet { camera } else { nil }
    }

    /// What went wrong on the way.
    private var failure: SessionError? {
        failures.withLock { failures in
            if let fatal = failures.fatal { return fatal }
            // A reader that has had enough is the least of them.
            if let error = failures.sinks.first(where: { !$0.endsStandardOutput }) { return .sink(error) }
            return failures.source.map { .source($0) } ?? failures.sinks.first.map { .sink($0) }
        }
    }
}

/// How sinks are opened once the session runs.
struct SinkSettings {
    var rate: FrameRate
    /// Whether frames are dropped rather than waited for.
    var isLive: Bool
    var stop: StopSignal

    var policy: QueuePolicy { isLive ? .dropNewest : .block }
}
