internal import PipPixels
internal import PipRender
internal import Synchronization

/// Does the work of each tick on the render thread: takes frames, draws, delivers frames, and schedules the next tick.
///
/// Thread: render thread only, except where a function says otherwise.
final class RenderLoop: @unchecked Sendable {
    // `isEnding` is atomic, and `results` has a lock. All other variables belong to the render thread.

    /// The longest wait for each of the last frames in flight, generous because the CPU may be busy with other work.
    private static let lastPatience = Duration.seconds(10)

    let timing: RenderTiming
    private let results: RenderResults
    private let runner: PlanRunner
    private let clock: MonotonicClock
    private var gatherer: FrameGatherer
    private var slowness = FrameTimeGuard(shadesOnCPU: true)
    private var schedule: RenderSchedule
    /// The due time of tick 0; nil until the sources' first frames have come, or the wait for them is over.
    private var start: Timestamp?
    private let isEnding = Atomic<Bool>(false)
    /// The records of the latest frames, at their sequence numbers modulo 16.
    private var records = InlineArray<16, FrameRecord>(repeating: FrameRecord())
    private let onEvent: @Sendable (LoopEvent) -> Void
    private let heartbeat: (@Sendable (Timestamp) -> Void)?

    /// - Parameters:
    ///   - timing: The rate, the clock and the range of frames.
    ///   - options: The number of drawing threads, the clock and the heartbeat.
    ///   - results: The counters that the loop writes.
    ///   - onEvent: Called on the render thread. The closure must not block.
    init(
        _ timing: RenderTiming, _ options: SessionOptions, results: RenderResults,
        onEvent: @escaping @Sendable (LoopEvent) -> Void
    ) {
        self.timing = timing
        self.results = results
        self.onEvent = onEvent
        clock = options.time
        heartbeat = options.heartbeat
        schedule = RenderSchedule(rate: timing.rate, from: timing.limits.first)
        gatherer = FrameGatherer(isOffline: timing.isOffline, patience: timing.patience, rate: timing.rate)
        runner = PlanRunner(threads: DrawingThreads(options.drawingThreads), clock: options.time)
    }

    // MARK: Plans

    /// Compiles and warms up a plan while the plan before it is drawn.
    ///
    /// Each step is a job of its own on the render thread, so that ticks come in between.
    func makeReady(
        _ plan: RenderPlan, framesInFlight: Int, on gpu: RenderContext
    ) async throws(SessionError) {
        do throws(GLError) {
            for pass in plan.passes {
                try await gpu.perform { (gpu) throws(GLError) in try self.runner.compile(pass, on: gpu) }
            }
            try await gpu.perform { (gpu) throws(GLError) in
                try self.runner.prepare(plan, framesInFlight: framesInFlight, on: gpu)
            }
        } catch {
            throw .gpu(error)
        }
        for index in plan.passes.indices { await gpu.perform { self.runner.warmUp(index, on: $0) } }
    }

    /// Draws with the prepared plan from the next tick on, or with the plans that motions derive from it.
    ///
    /// Thread: render thread only.
    func install(_ installation: Installation, on gpu: isolated RenderContext) {
        guard runner.hasPendingPlan else { return }
        // Frames in flight belong to the sinks of the former plan: deliver them first.
        collect(timeout: .seconds(2), on: gpu)
        for (id, feed) in installation.feeds { feed.adopt(installation.facts.formats[id] ?? feed.format) }
        runner.install(installation, rate: schedule.rate)
        guard let plan = runner.plan else { return }
        // While layers move, the published plan changes with the next frame, and not before.
        if !runner.isMoving { results.withLock { $0.plan = plan } }
        gatherer.use(runner.drawnFeeds, of: Array(installation.feeds.values), main: installation.main)
        slowness.planChanged(shadesOnCPU: plan.executor == .cpu || gpu.capabilities?.shadesOnCPU != false)
    }

    /// Makes a player that continues from the latest frame.
    ///
    /// Thread: render thread only.
    func player(_ motions: MotionSchedule, _ facts: PlanningState) -> MotionPlayer { runner.player(motions, facts) }

    // MARK: Running

    /// Starts ticking on the thread of a context.
    ///
    /// Thread: any.
    func begin(on gpu: RenderContext) {
        gpu.executor.callRepeatedly(from: clock.now) { [self] in gpu.onThread { gpu in runTick(on: gpu) } }
    }

    /// Makes the next tick the last one, which delivers the frames in flight.
    ///
    /// The loop waits only briefly for full sinks from then on.
    ///
    /// Thread: any. The caller must wake the render thread if the next tick may be far away.
    func end() { isEnding.store(true, ordering: .relaxed) }

    /// Limits the rate of drawn frames from the next tick on; nil draws a frame at every tick.
    ///
    /// Thread: render thread only.
    func setPace(_ limit: FrameRate?) { schedule.limit = limit }

    /// Returns the counts of due frames and of deadline misses since the last call, and starts over.
    ///
    /// Thread: any.
    func takeLoad() -> LoadSample { results.withLock { $0.load.take() } }

    /// Forgets the lost context's objects and the frames in flight.
    ///
    /// The caller must prepare the next plan on another context, and must not call this method while the loop ticks.
    func forgetContext() {
        runner.reset()
        slowness = FrameTimeGuard(shadesOnCPU: true)
        gatherer.use([], of: [], main: nil)
    }

    /// Releases all frames and GL objects.
    ///
    /// Thread: render thread only.
    func dismantle() {
        gatherer.dismantle()
        runner.dismantle()
    }

    private func runTick(on gpu: isolated RenderContext) -> Timestamp? {
        let now = clock.now
        if gpu.isLost {
            onEvent(.contextLost)
            return nil
        }
        if isEnding.load(ordering: .relaxed) { return finish(on: gpu) }
        guard let start else { return takeFirstFrames(now) }
        let due = start.advanced(by: schedule.offset)
        let isOffline = timing.isOffline
        if !isOffline && now < due { return due }
        if let limit = timing.limits.end, schedule.tick >= limit { return finish(on: gpu) }
        let isComplete = runner.plan == nil || gatherer.take(at: schedule.offset, shown: due, now, { note($0) })
        if isOffline && !(isComplete && hasRoom(on: gpu)) { return now.advanced(by: .milliseconds(1)) }
        if !gatherer.hasNews && gatherer.hasEnded { return finish(on: gpu) }
        let time = start.duration(to: isOffline ? due : now)
        results.withLock { $0.time = time }
        if runner.planHasEnded(at: time, now: now, { onEvent(.planOutdated) }) && isOffline {
            return now.advanced(by: .milliseconds(1))
        }
        gatherer.drew()
        if timing.followsCamera, let arrival = gatherer.mainArrival {
            let correction = PhaseLock.correction(age: arrival.duration(to: due), period: schedule.rate.interval)
            self.start = start.advanced(by: correction)
        }
        move(at: time, on: gpu)
        draw(due, time: time, now: now, on: gpu)
        let drawn = results.withLock { $0.frames }
        if let limit = timing.limits.frames, drawn >= limit { return finish(on: gpu) }
        return nextTick(self.start ?? start)
    }

    /// Takes the sources' first frames, and starts the output's time when drawing can begin.
    ///
    /// - Returns: The time of the next tick; nil while no plan is installed.
    private func takeFirstFrames(_ now: Timestamp) -> Timestamp? {
        guard runner.plan != nil else { return nil }
        guard gatherer.takeFirst(at: schedule.offset, now, { note($0) }) else {
            return now.advanced(by: .milliseconds(2))
        }
        start = now.advanced(by: .zero - schedule.offset)
        return now
    }

    /// Delivers the frames in flight if an output has no buffer for another frame; true when every output has one
    /// afterwards.
    private func hasRoom(on gpu: isolated RenderContext) -> Bool {
        if runner.hasRoom { return true }
        collect(timeout: .seconds(5), on: gpu)
        return runner.hasRoom
    }

    /// Advances the schedule, and returns the time of the next tick; offline, a time in the past.
    ///
    /// Ticks that have passed entirely count as missed in real time.
    private func nextTick(_ start: Timestamp) -> Timestamp {
        let elapsed = timing.isOffline ? nil : start.duration(to: clock.now)
        let passed = schedule.advance(elapsed: elapsed, end: timing.limits.end)
        results.withLock { results in
            results.thinned += passed.thinned
            results.missed += passed.missed
            results.load.due(passed.missed + 1, missed: passed.missed)
        }
        return timing.isOffline ? .zero : start.advanced(by: schedule.offset)
    }

    // MARK: Drawing

    /// Switches to the plan of this frame while layers move.
    private func move(at time: Duration, on gpu: isolated RenderContext) {
        guard runner.isMoving else { return }
        do throws(GLError) {
            if try runner.move(at: schedule.offset, time: time, on: gpu) { gatherer.show(runner.drawnFeeds) }
            // While layers move, a newly installed plan is visible from its first frame on.
            if let plan = runner.plan { results.withLock { $0.plan = plan } }
        } catch {
            onEvent(.drawingFailed(error))
        }
        guard let ended = runner.takeEndedMotions() else { return }
        results.withLock { $0.endedMotions = ended }
        onEvent(.motionEnded)
    }

    private func draw(_ due: Timestamp, time: Duration, now: Timestamp, on gpu: isolated RenderContext) {
        guard runner.plan != nil else { return }
        let frame = FrameTiming(
            timestamp: due, sequence: UInt64(results.withLock { $0.frames }), time: time, tick: schedule.tick,
            previous: schedule.drawn, interval: schedule.interval)
        record(frame)
        let isOffline = timing.isOffline
        let (start, used) = (clock.now, ProcessorTime.used)
        var isDrawn = false
        do throws(GLError) {
            let result = try runner.draw(gatherer.frames, frame, on: gpu)
            isDrawn = result.drawn > 0 || result.skipped + result.waiting == 0
            note(result)
            for _ in 0..<result.drawn { slowness.frameDrawn(from: start, used: used) }
            // Offline, one frame stays in flight, so that sinks write it while the loop draws the next frame. A live
            // frame leaves at once.
            //
            // When nothing was drawn, the frames in flight are collected, too: no newer frame follows soon.
            try collect(
                timeout: isOffline ? Duration.seconds(5) : schedule.rate.interval / 2,
                remaining: isOffline && result.drawn > 0 && !runner.drewAtInterval ? 1 : 0, on: gpu)
        } catch {
            onEvent(.drawingFailed(error))
        }
        if isDrawn { schedule.frameDrawn() }
        let work = slowness.tickEnded(from: start, at: clock.now, usedAtStart: used, used: ProcessorTime.used)
        if let work, !isOffline { onEvent(.framesTooSlow(work)) }
        results.countTick(isDrawn: isDrawn, at: now)
        heartbeat?(now)
        if frame.sequence == 0 && isDrawn { onEvent(.started) }
    }

    private func note(_ report: FrameGatherer.Report) {
        switch report {
        case .presenceChanged: onEvent(.presenceChanged)
        case .ended(let name): onEvent(.sourceEnded(name: name))
        }
    }

    private func note(_ result: Renderer.Tick) {
        if result.sharedPlanes > 0 { results.withLock { $0.sharedPlanes += result.sharedPlanes } }
        if let refusal = runner.takeSharingRefusal() { onEvent(.sharingRefused(refusal)) }
    }

    private func record(_ frame: FrameTiming) {
        let inputs = gatherer.inputs
        records[Int(frame.sequence % 16)] = FrameRecord(
            inputs: inputs, tick: frame.tick, previous: frame.previous, thinned: schedule.leftOut)
        if let skew = inputs.skew { results.withLock { $0.skew.add(skew) } }
    }

    /// Delivers the frames in flight, until one is not finished within `timeout`.
    private func collect(timeout: Duration, on gpu: isolated RenderContext) {
        do throws(GLError) {
            try collect(timeout: timeout, remaining: 0, on: gpu)
        } catch {
            onEvent(.drawingFailed(error))
        }
    }

    private func collect(timeout: Duration, remaining: Int, on gpu: isolated RenderContext) throws(GLError) {
        try runner.collect(
            timeout: timeout, remaining: remaining, inputs: { records[Int($0 % 16)].inputs }, on: gpu
        ) { sinks, frame, recipients in
            slowness.frameReady(at: clock.now, used: ProcessorTime.used)
            let record = records[Int(frame.info.sequence % 16)]
            recipients.deliver(frame, to: sinks, record, clock: clock) { isEnding.load(ordering: .relaxed) }
            if let captured = record.inputs.newest {
                let latency = captured.duration(to: clock.now)
                results.withLock { results in
                    results.latency.add(latency)
                    results.latencies.add(latency)
                }
            }
        }
    }

    private func finish(on gpu: isolated RenderContext) -> Timestamp? {
        collect(timeout: Self.lastPatience, on: gpu)
        onEvent(.ended)
        return nil
    }
}
