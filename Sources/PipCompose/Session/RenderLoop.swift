internal import PipPixels
internal import PipRender
internal import Synchronization

/// The work of a tick on the render thread: takes frames, draws, hands over, and schedules the next tick.
///
/// Made and used on the render thread, but for its locked parts.
final class RenderLoop: @unchecked Sendable {
    // Everything but what is locked is touched on the render thread only.

    /// How long the last frames are waited for: a processor that draws beside other work takes long.
    private static let lastPatience = Duration.seconds(10)

    let shared: Mutex<Shared> = Mutex(Shared())
    private let gpu: Mutex<RenderContext>
    private let stage: PlanStage
    private let isOffline: Bool
    private let followsCamera: Bool
    private let limits: Limits
    private let clock: MonotonicClock
    private var gatherer: FrameGatherer
    private var term = PlanTerm(until: nil)
    private var slowness: FrameTimeGuard
    private var schedule: RenderSchedule
    /// When tick 0 was, or would have been, due; nil while first frames are waited for.
    private var start: Timestamp?
    private let isEnding = Atomic<Bool>(false)
    private var notes = InlineArray<16, FrameNote>(repeating: FrameNote())  // Of the latest frames, by their sequence.
    private let onEvent: @Sendable (LoopEvent) -> Void
    private let heartbeat: (@Sendable (Timestamp) -> Void)?

    /// With `isOffline`, time is counted in frames and files are waited for; with `followsCamera` the main camera's
    /// frames say when; `patience` is how long first frames are waited for; `threads` says how many draw.
    init(
        gpu: RenderContext, rate: FrameRate, isOffline: Bool, followsCamera: Bool = false, limits: Limits,
        patience: Duration,
        threads: DrawingThreads = DrawingThreads(1), clock: MonotonicClock = MonotonicClock(),
        heartbeat: (@Sendable (Timestamp) -> Void)? = nil,
        onEvent: @escaping @Sendable (LoopEvent) -> Void
    ) {
        self.gpu = Mutex(gpu)
        self.clock = clock
        schedule = RenderSchedule(rate: rate, from: limits.first)
        gatherer = FrameGatherer(isOffline: isOffline, patience: patience, rate: rate)
        self.isOffline = isOffline
        self.followsCamera = followsCamera
        self.limits = limits
        self.heartbeat = heartbeat
        self.onEvent = onEvent
        slowness = FrameTimeGuard(shadesOnCPU: true)
        stage = PlanStage(threads: threads, clock: clock)
    }

    /// Draws with the prepared plan from the next tick on, or with those that a score makes of it.
    ///
    /// On the render thread.
    ///
    /// - Parameters:
    ///   - feeds: By their nodes.
    ///   - formats: Of the feeds, as the plan was made for them.
    ///   - receivers: Of the plan's sinks, by their nodes.
    ///   - rates: The most frames a second of the sinks that take fewer than are made.
    ///   - main: The main source.
    ///   - motion: The motions, and all that their plans are made from; nil when nothing moves.
    ///   - gpu: The context of the plan.
    func install(
        feeds: [NodeID: SourceFeed], formats: [NodeID: SourceFormat], receivers: [NodeID: any FrameReceiver],
        rates: [NodeID: FrameRate], main: NodeID?, motion: (score: MotionScore, state: PlanningState)?,
        on gpu: isolated RenderContext
    ) {
        guard stage.hasPendingPlan else { return }
        // Frames in flight are for the sinks that they were drawn for.
        do throws(GLError) {
            try collect(timeout: .seconds(2), remaining: 0, on: gpu)
        } catch {
            onEvent(.drawingFailed(error))
        }
        for (id, feed) in feeds { feed.adopt(formats[id] ?? feed.format) }
        let gates = rates.compactMapValues { OutputGate($0, of: schedule.rate) }
        let shown = stage.plan
        stage.install(PlanStage.Recipients(sinks: receivers, gates: gates), feeds: feeds, motion)
        guard let plan = stage.plan else { return }
        // Until the first frame of a motion, the latest one is what is shown.
        shared.withLock { $0.movingPlan = motion == nil ? nil : shown }
        gatherer.use(stage.drawnFeeds, of: Array(feeds.values), main: main.flatMap { feeds[$0] })
        slowness.planChanged(shadesOnCPU: plan.executor == .cpu || gpu.capabilities?.shadesOnCPU != false)
        term = PlanTerm(until: plan.validUntil)
    }

    /// A player of a score that goes on with what is shown now.
    ///
    /// On the render thread.
    func player(_ score: MotionScore, _ state: PlanningState) -> MotionPlayer { stage.player(score, state) }

    /// Makes a plan ready to be installed while the one before it is drawn.
    ///
    /// Each step is a job of its own on the render thread, so that ticks come in between.
    func makeReady(
        _ plan: RenderPlan, framesInFlight: Int, on gpu: RenderContext
    ) async throws(SessionError) {
        do throws(GLError) {
            for pass in plan.passes {
                try await gpu.perform { (gpu) throws(GLError) in try self.stage.compile(pass, on: gpu) }
            }
            try await gpu.perform { (gpu) throws(GLError) in
                try self.stage.prepare(plan, framesInFlight: framesInFlight, on: gpu)
            }
        } catch {
            throw .gpu(error)
        }
        for index in plan.passes.indices { await gpu.perform { self.stage.warmUp(index, on: $0) } }
    }

    /// Starts ticking.
    ///
    /// On any thread.
    func begin() {
        let gpu = gpu.withLock { $0 }
        gpu.executor.callRepeatedly(from: clock.now) { [self] in gpu.onThread { gpu in runTick(on: gpu) } }
    }

    /// Ends after the frames that are drawn already.
    ///
    /// On any thread; a sink that is waited for is not waited for any longer.
    func end() {
        isEnding.store(true, ordering: .relaxed)
        gpu.withLock { $0 }.executor.callNow()
    }

    /// Limits the rate of drawn frames from the next moment on; nil draws all.
    ///
    /// On the render thread.
    func setPace(_ limit: FrameRate?) { schedule.limit = limit }

    /// The deadline misses since the last call.
    ///
    /// On any thread, but one only.
    func takeLoad() -> LoadSample { shared.withLock { $0.load.take(clock.now) } }

    /// Draws with another context from the next ``begin()`` on, in place of one that was lost; all is to be prepared
    /// anew.
    ///
    /// Only while it does not tick.
    func move(to gpu: RenderContext) {
        self.gpu.withLock { $0 = gpu }
        // Frames in flight are lost with the context.
        stage.reset()
        slowness = FrameTimeGuard(shadesOnCPU: true)
        gatherer.use([], of: [], main: nil)
    }

    /// Lets go of all frames and GL objects.
    ///
    /// On the render thread.
    func dismantle() {
        gatherer.dismantle()
        stage.dismantle()
    }

    private func runTick(on gpu: isolated RenderContext) -> Timestamp? {
        let now = clock.now
        if gpu.isLost {
            onEvent(.contextLost)
            return nil
        }
        if isEnding.load(ordering: .relaxed) { return finish(on: gpu) }
        guard let start else {
            guard stage.plan != nil else { return nil }
            guard gatherer.takeFirst(at: schedule.offset, now, { note($0) }) else {
                return now.advanced(by: .milliseconds(2))
            }
            start = now.advanced(by: .zero - schedule.offset)
            return now
        }
        let due = start.advanced(by: schedule.offset)
        if !isOffline && now < due { return due }
        if let limit = limits.end, schedule.tick >= limit { return finish(on: gpu) }
        let isComplete = stage.plan == nil || gatherer.take(at: schedule.offset, shown: due, now, { note($0) })
        if isOffline && !isComplete { return now }
        if isOffline && !hasRoom(on: gpu) { return now.advanced(by: .milliseconds(1)) }
        if !gatherer.hasNews && gatherer.hasEnded { return finish(on: gpu) }
        let time = start.duration(to: isOffline ? due : now)
        shared.withLock { $0.time = time }
        if term.isOver(at: time, now: now, { onEvent(.planOutdated) }) && isOffline {
            return now.advanced(by: .milliseconds(1))
        }
        gatherer.drew()
        if followsCamera, let arrival = gatherer.mainArrival {
            let correction = PhaseLock.correction(age: arrival.duration(to: due), period: schedule.rate.interval)
            self.start = start.advanced(by: correction)
        }
        move(at: time, on: gpu)
        draw(due, time: time, now: now, on: gpu)
        shared.withLock { $0.load.worked(from: now, to: clock.now) }
        if let limit = limits.frames, shared.withLock({ $0.frames }) >= limit { return finish(on: gpu) }
        return nextTick(self.start ?? start)
    }

    /// True when every output has memory for a frame, once those in flight were handed over.
    private func hasRoom(on gpu: isolated RenderContext) -> Bool {
        if stage.hasRoom { return true }
        do throws(GLError) {
            try collect(timeout: .seconds(5), remaining: 0, on: gpu)
        } catch {
            onEvent(.drawingFailed(error))
        }
        return stage.hasRoom
    }

    /// When the next frame is due; moments that have passed altogether are counted as missed.
    private func nextTick(_ start: Timestamp) -> Timestamp {
        let elapsed = isOffline ? nil : start.duration(to: clock.now)
        let passed = schedule.advance(elapsed: elapsed, end: limits.end)
        shared.withLock { shared in
            shared.thinned += passed.thinned
            shared.missed += passed.missed
            shared.load.due(passed.missed + 1, missed: passed.missed)
        }
        return isOffline ? .zero : start.advanced(by: schedule.offset)
    }

    /// Takes the plan of the moment at hand, where something moves.
    private func move(at time: Duration, on gpu: isolated RenderContext) {
        guard stage.isMoving else { return }
        do throws(GLError) {
            let plan = try stage.move(at: schedule.offset, time: time, on: gpu)
            // A plan that was installed while something moves is shown from its first frame on.
            shared.withLock { if $0.movingPlan != nil { $0.movingPlan = stage.plan } }
            if let plan {
                gatherer.show(stage.drawnFeeds)
                term = PlanTerm(until: plan.validUntil)
            }
        } catch {
            onEvent(.drawingFailed(error))
        }
        guard let ended = stage.takeEndedMotions() else { return }
        shared.withLock { $0.endedMotions = ended }
        onEvent(.motionEnded)
    }

    private func draw(_ timestamp: Timestamp, time: Duration, now: Timestamp, on gpu: isolated RenderContext) {
        guard stage.plan != nil else { return }
        let sequence = UInt64(shared.withLock { $0.frames })
        let (tick, previous) = (schedule.tick, schedule.drawn)
        note(sequence)
        let patience = isOffline ? Duration.seconds(5) : schedule.rate.interval / 2
        let (start, used) = (clock.now, ProcessorTime.used)
        var isDrawn = false
        do throws(GLError) {
            let result = try stage.draw(
                gatherer.frames, timestamp: timestamp, sequence: sequence, time: time, tick: tick, after: previous,
                interval: schedule.interval, on: gpu)
            isDrawn = result.drawn > 0 || result.skipped + result.waiting == 0
            note(result)
            for _ in 0..<result.drawn { slowness.frameDrawn(from: start, used: used) }
            // Files are written while the next frame is drawn; a live frame leaves as soon as it is done.
            // Where nothing is due, what is in flight is the latest for a while.
            try collect(timeout: patience, remaining: isOffline && result.drawn > 0 ? 1 : 0, on: gpu)
        } catch {
            onEvent(.drawingFailed(error))
        }
        if isDrawn { schedule.frameDrawn() }
        let work = slowness.tickEnded(from: start, at: clock.now, usedAtStart: used, used: ProcessorTime.used)
        if let work, !isOffline { onEvent(.framesTooSlow(work)) }
        count(isDrawn, at: now)
        heartbeat?(now)
        if sequence == 0 && isDrawn { onEvent(.started) }
    }

    private func note(_ report: FrameGatherer.Report) {
        switch report {
        case .presence(let id, let presence): shared.withLock { $0.presence[id] = presence }
        case .changed: onEvent(.presenceChanged)
        case .ended(let name): onEvent(.sourceEnded(name: name))
        }
    }

    private func note(_ result: Renderer.Tick) {
        if result.sharedPlanes > 0 { shared.withLock { $0.sharedPlanes += result.sharedPlanes } }
        if let refusal = stage.takeSharingRefusal() { onEvent(.sharingRefused(refusal)) }
    }

    private func note(_ sequence: UInt64) {
        let inputs = gatherer.inputs
        notes[Int(sequence % 16)] = FrameNote(
            inputs: inputs, tick: schedule.tick, previous: schedule.drawn, thinned: schedule.leftOut)
        if let skew = inputs.skew { shared.withLock { $0.skew.add(skew) } }
    }

    private func collect(timeout: Duration, remaining: Int, on gpu: isolated RenderContext) throws(GLError) {
        try stage.collect(
            timeout: timeout, remaining: remaining, inputs: { notes[Int($0 % 16)].inputs }, on: gpu
        ) { sinks, frame, recipients in
            slowness.frameReady(at: clock.now, used: ProcessorTime.used)
            let note = notes[Int(frame.info.sequence % 16)]
            recipients.deliver(frame, to: sinks, note, clock: clock) { isEnding.load(ordering: .relaxed) }
            if let captured = note.inputs.newest {
                let latency = captured.duration(to: clock.now)
                shared.withLock { shared in
                    shared.latency.add(latency)
                    shared.latencies.add(latency)
                }
            }
        }
    }

    private func finish(on gpu: isolated RenderContext) -> Timestamp? {
        do throws(GLError) {
            try collect(timeout: Self.lastPatience, remaining: 0, on: gpu)
        } catch {
            onEvent(.drawingFailed(error))
        }
        onEvent(.ended)
        return nil
    }
}
