internal import Synchronization

/// The events of a session, and the failures that decide how it ends.
///
/// From any thread.
final class SessionJournal: Sendable {
    /// Threads that may be left behind in drivers that do not answer, of all cameras together.
    private static let mostHungDrivers = 2

    private struct Failures {
        var sinks: [SinkError] = []
        var source: SourceError?
        /// What ended the session at once.
        var fatal: SessionError?
        /// Drivers that do not answer, and whether more of them mean nothing any more.
        var hungDrivers = 0
        var isClosing = false
    }

    private let events: AsyncStream<SessionEvent>.Continuation
    private let failures = Mutex(Failures())

    init(_ events: AsyncStream<SessionEvent>.Continuation) { self.events = events }

    func yield(_ event: SessionEvent) { events.yield(event) }

    /// What went wrong on the way.
    var failure: SessionError? {
        failures.withLock { failures in
            if let fatal = failures.fatal { return fatal }
            // A reader that has had enough is the least of them.
            if let error = failures.sinks.first(where: { !$0.endsByReader }) { return .sink(error) }
            return failures.source.map { .source($0) } ?? failures.sinks.first.map { .sink($0) }
        }
    }

    /// Notes that the session ends because of an error.
    func end(with error: SessionError) { failures.withLock { $0.fatal = $0.fatal ?? error } }

    /// Notes that the session closes: drivers that hang from now on mean nothing any more.
    func close() { failures.withLock { $0.isClosing = true } }

    func sourceFailed(_ error: SourceError) {
        yield(.sourceFailed(error))
        failures.withLock { $0.source = $0.source ?? error }
    }

    /// Notes an output that is left out from now on; when none is left, the session ends.
    ///
    /// - Parameters:
    ///   - error: Why it failed.
    ///   - count: Outputs that were opened so far.
    ///   - stop: Ends the session.
    func sinkFailed(_ error: SinkError, of count: Int, _ stop: StopSignal) {
        yield(.sinkFailed(error))
        let failed = failures.withLock { failures in
            failures.sinks.append(error)
            return failures.sinks.count
        }
        if failed >= count { stop.raise() }
    }

    /// Notes a camera that was left behind with its thread.
    ///
    /// Nothing but the end of the process frees such a thread: at the second one the session ends, where somebody
    /// starts the program again, and else says what would help.
    ///
    /// - Parameters:
    ///   - error: What the driver does not do.
    ///   - ends: Whether somebody starts the program again.
    ///   - stop: Ends the session.
    func noteHungDriver(_ error: CaptureError, ends: Bool, _ stop: () -> Void) {
        let count = failures.withLock { failures in
            failures.hungDrivers += 1
            return failures.isClosing ? 0 : failures.hungDrivers
        }
        guard count == Self.mostHungDrivers else { return }
        let trouble = CaptureError(
            .hanging, device: error.device, operation: "go on as before",
            reason: "\(count) times a driver has not answered, and each time a thread was left behind in it",
            hint: ends ? "the program ends, to be started again" : "start the program again when it suits")
        guard ends else { return yield(.driversHang(trouble)) }
        end(with: .camera(trouble))
        stop()
    }
}

/// What a session shows to whoever reads without waiting.
///
/// From any thread.
final class Published: Sendable {
    private struct Contents {
        var plan = RenderPlan()
        var renderer = SessionRenderer(RenderPlan(), nil)
        var graph: Graph?
        var loop: RenderLoop?
        var pressure = SessionStatistics.Pressure()
        var stop: StopSignal?
    }

    let sources: SourceList
    let outputs: OutputList
    private let contents = Mutex(Contents())

    init(sources: SourceList, outputs: OutputList) {
        self.sources = sources
        self.outputs = outputs
    }

    /// What is drawn now; while layers move, by the latest frame.
    var plan: RenderPlan {
        let (plan, loop) = contents.withLock { ($0.plan, $0.loop) }
        return loop?.shared.withLock { $0.movingPlan } ?? plan
    }
    /// The graph that is drawn now; nil before the first.
    var graph: Graph? { contents.withLock { $0.graph } }
    var loop: RenderLoop? { contents.withLock { $0.loop } }
    var pressure: SessionStatistics.Pressure { contents.withLock { $0.pressure } }

    /// What draws the plan.
    var renderer: SessionRenderer { contents.withLock { $0.renderer } }

    func set(_ plan: RenderPlan, _ renderer: SessionRenderer) {
        contents.withLock { ($0.plan, $0.renderer) = (plan, renderer) }
    }
    func set(_ graph: Graph) { contents.withLock { $0.graph = graph } }
    func note(_ event: PressureEvent) { contents.withLock { $0.pressure.note(event) } }
    func note(_ state: PressureState) { contents.withLock { $0.pressure.state = state } }

    /// Notes what draws from now on, and what ends it.
    func begin(_ loop: RenderLoop, _ stop: StopSignal) {
        contents.withLock { ($0.loop, $0.stop) = (loop, stop) }
    }

    /// Ends the session.
    func stop() { contents.withLock { $0.stop }?.raise() }
}

/// What a render loop tells, as the controller waits for it.
struct LoopSignals: Sendable {
    let changed: AsyncStream<Void>.Continuation
    let losses = AsyncStream.makeStream(of: Void.self)
    let slowness = AsyncStream.makeStream(of: Duration.self)
    let ended = StopSignal()

    /// Passes on what has happened in the loop.
    func note(_ event: RenderLoop.LoopEvent, _ journal: SessionJournal) {
        switch event {
        case .started: journal.yield(.started)
        case .presenceChanged, .planOutdated, .motionEnded: changed.yield()
        case .sourceEnded(let name): journal.yield(.sourceEnded(name: name))
        case .sharingRefused(let error): journal.yield(.sharingRefused(error))
        case .drawingFailed(let error): journal.yield(.drawingFailed(error))
        case .contextLost: losses.continuation.yield()
        case .framesTooSlow(let work): slowness.continuation.yield(work)
        case .ended: ended.raise()
        }
    }

    func finish() {
        changed.finish()
        losses.continuation.finish()
        slowness.continuation.finish()
    }
}

/// Lets one change at a time pass, in no order.
struct Turns {
    private(set) var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func take() { isTaken = true }

    /// - Returns: Those that wait, to try again.
    mutating func end() -> [CheckedContinuation<Void, Never>] {
        isTaken = false
        defer { waiting = [] }
        return waiting
    }
}

/// How often the GPU was reset lately: so many resets within so long are more than bad luck.
struct LossCount {
    private static let most = 3
    private static let period = Duration.seconds(60)
    private var losses: [Timestamp] = []

    /// Takes note of a reset.
    ///
    /// - Returns: True when it is worth while to make another context.
    mutating func mayGoOn(after lost: Timestamp) -> Bool {
        losses.removeAll { $0.duration(to: lost) > Self.period }
        losses.append(lost)
        return losses.count < Self.most
    }
}
