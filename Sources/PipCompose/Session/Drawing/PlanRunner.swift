internal import PipPixels
internal import PipPlan
internal import PipRender

/// Draws frames with the present plan, or with the plans that motions derive from it.
///
/// Thread: render thread only.
final class PlanRunner {
    /// The open outputs, and the gates that limit their rates.
    struct Recipients {
        /// The open outputs, keyed by node.
        var receivers: [NodeID: any FrameReceiver] = [:]
        /// The gates of the outputs whose rate is lower than the session's, keyed by node.
        var gates: [NodeID: OutputGate] = [:]
        /// The gates of the outputs that take one frame in each interval, keyed by node.
        var intervals: [NodeID: IntervalGate] = [:]
    }

    /// The outputs, sources and motions of the latest installation.
    private struct Installed {
        var recipients = Recipients()
        /// The open sources, keyed by node.
        var feeds: [NodeID: SourceFeed] = [:]
        /// The player of motions; nil while no layer moves or has keyframes.
        var player: MotionPlayer?
        /// The number of ended motions that were reported.
        var endedCount = 0
    }

    private let clock: MonotonicClock
    private var renderer = Renderer()
    private var threads: DrawingThreads
    /// The plan that draws, with its lifetime; nil before the first plan, and after the context was lost.
    private var current: (plan: PreparedPlan, lifetime: PlanLifetime)?
    /// The prepared plan that the next installation puts into use; nil when no plan is prepared.
    private var pending: PreparedPlan?
    private var framesInFlight = 1
    private var installed = Installed()

    init(threads: DrawingThreads, clock: MonotonicClock) {
        self.threads = threads
        self.clock = clock
        startThreads()
    }

    /// The plan that draws; nil before the first plan, and after the context was lost.
    var plan: RenderPlan? { current?.plan.plan }

    /// The sources that the present plan draws, in the plan's order.
    var drawnFeeds: [SourceFeed] { current?.plan.sources.compactMap { installed.feeds[$0] } ?? [] }

    // MARK: Plans

    /// Prepares a plan, which ``install(_:rate:)`` puts into use.
    func prepare(_ plan: RenderPlan, framesInFlight: Int, on gpu: isolated RenderContext) throws(GLError) {
        pending = nil
        pending = try renderer.prepare(plan, framesInFlight: framesInFlight, on: gpu)
        self.framesInFlight = framesInFlight
    }

    /// True when a plan is prepared but not installed yet.
    var hasPendingPlan: Bool { pending != nil }

    /// Compiles the program of one pass, so that ``prepare(_:framesInFlight:on:)`` finds the program ready.
    func compile(_ pass: Pass, on gpu: isolated RenderContext) throws(GLError) {
        try renderer.compile(pass, on: gpu)
    }

    /// Warms up one pass of the prepared plan, so that the driver compiles the pass's program before the first frame is
    /// due.
    ///
    /// - Parameters:
    ///   - index: The pass, counted from 0.
    ///   - gpu: The context.
    func warmUp(_ index: Int, on gpu: isolated RenderContext) {
        if let pending { renderer.warmUp(pending, index, on: gpu) }
    }

    /// Draws with the prepared plan from the next frame on; does nothing without a prepared plan.
    ///
    /// - Parameters:
    ///   - installation: The sources, outputs and motions to draw with.
    ///   - rate: The output rate.
    func install(_ installation: Installation, rate: FrameRate) {
        guard let plan = pending.take() else { return }
        let motions = installation.motions
        let player = motions.isEmpty ? nil : player(motions, installation.facts)
        installed = Installed(
            recipients: Recipients(
                receivers: installation.receivers, gates: installation.gates(of: rate),
                intervals: installation.facts.graph.intervalGates(keeping: installed.recipients.intervals)),
            feeds: installation.feeds, player: player, endedCount: player?.ended.count ?? 0)
        use(plan)
    }

    private func use(_ plan: PreparedPlan) {
        current = (plan, PlanLifetime(until: plan.plan.validUntil))
        renderer.use(plan)
    }

    /// True when the present plan has ended and an offline loop should wait for the next one.
    ///
    /// Requests the next plan once.
    ///
    /// - Parameters:
    ///   - time: The output time.
    ///   - now: The time on the monotonic clock.
    ///   - request: Called once, when the plan has ended.
    /// - Returns: True while an offline loop should wait for the next plan.
    func planHasEnded(at time: Duration, now: Timestamp, _ request: () -> Void) -> Bool {
        current?.lifetime.hasEnded(at: time, now: now, request) ?? false
    }

    // MARK: Motion

    /// True while a layer moves or has keyframes, so that the plan may change with each frame.
    var isMoving: Bool { installed.player != nil }

    /// Makes a player that continues from the latest frame.
    func player(_ motions: MotionSchedule, _ facts: PlanningState) -> MotionPlayer {
        MotionPlayer(motions, facts, after: installed.player, plan)
    }

    /// Switches to the plan of a moving frame.
    ///
    /// - Parameters:
    ///   - moment: The frame's offset from the output's start.
    ///   - time: The output time, by which effects start and end.
    ///   - gpu: The context.
    /// - Returns: True when another plan is in use now.
    /// - Throws: ``GLError`` when the plan cannot be prepared. Then the former plan stays in use.
    func move(at moment: Duration, time: Duration, on gpu: isolated RenderContext) throws(GLError) -> Bool {
        guard let plan = installed.player?.plan(at: moment, time: time), plan != self.plan else { return false }
        use(try renderer.prepare(plan, framesInFlight: framesInFlight, on: gpu))
        return true
    }

    /// The IDs of all ended motions, when a motion has ended since the last call; nil otherwise.
    func takeEndedMotions() -> Set<Int>? {
        guard let ended = installed.player?.ended, ended.count != installed.endedCount else { return nil }
        installed.endedCount = ended.count
        return ended
    }

    // MARK: Frames

    /// True when the latest frame was for an output that takes one frame in each interval.
    ///
    /// Such an output is due until the frame is delivered, so the frame must not stay in flight.
    private(set) var drewAtInterval = false

    /// True when every output has a buffer for another frame, or may allocate one.
    var hasRoom: Bool { renderer.hasRoom }

    /// Draws one frame for every output that is due.
    ///
    /// - Parameters:
    ///   - frames: The newest frame of each of the plan's sources, in the plan's order.
    ///   - timing: The frame's position in time.
    ///   - gpu: The context.
    /// - Returns: The counts of frames that were drawn and left out.
    /// - Throws: ``GLError`` when drawing fails.
    func draw(
        _ frames: [Frame?], _ timing: FrameTiming, on gpu: isolated RenderContext
    ) throws(GLError) -> Renderer.Tick {
        let recipients = installed.recipients
        let adapts = threads.adapts && plan?.executor == .cpu
        let used = adapts ? ProcessorTime.usedByThread : .zero
        drewAtInterval = false
        let result = try renderer.draw(
            frames, timestamp: timing.timestamp, sequence: timing.sequence, time: timing.time,
            isDue: { sinks in
                var isDue = false
                for sink in sinks
                where recipients.isDue(sink, timing.tick, after: timing.previous, at: timing.timestamp) {
                    isDue = true
                    if recipients.intervals[sink] != nil { drewAtInterval = true }
                }
                return isDue
            },
            on: gpu)
        if adapts, threads.frameDrawn(used: ProcessorTime.usedByThread - used, interval: timing.interval) {
            startThreads()
        }
        return result
    }

    /// Delivers finished frames, oldest first.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for each frame.
    ///   - remaining: The number of frames that may stay in flight.
    ///   - inputs: Returns the cameras' frames that the output frame with a sequence number shows.
    ///   - gpu: The context.
    ///   - deliver: Takes the nodes of the sinks that a frame is for, the frame, and all recipients.
    /// - Throws: ``GLError`` when a frame cannot be read back.
    func collect(
        timeout: Duration, remaining: Int, inputs: (UInt64) -> FrameInputs, on gpu: isolated RenderContext,
        _ deliver: ([NodeID], Frame, Recipients) -> Void
    ) throws(GLError) {
        let recipients = installed.recipients
        try renderer.collect(timeout: timeout, remaining: remaining, inputs: inputs, on: gpu) { sinks, frame in
            deliver(sinks, frame, recipients)
        }
    }

    /// Returns, once, the error because of which cameras' memory is copied instead of imported; nil without a new
    /// error.
    func takeSharingRefusal() -> GLError? { renderer.takeSharingRefusal() }

    // MARK: The end of a context

    /// Forgets all objects of a lost context.
    ///
    /// Motions continue on the next context.
    func reset() {
        renderer = Renderer()
        startThreads()
        (current, pending) = (nil, nil)
    }

    /// Releases all plans, and ends the drawing threads.
    func dismantle() {
        (current, pending) = (nil, nil)
        renderer.threads = nil
    }

    /// Starts the drawing threads, if ``threads`` has chosen more than one.
    private func startThreads() {
        let count = threads.count
        renderer.threads = count > 1 ? RowThreads(count: count, clock: clock) : nil
    }
}

/// The record of a drawn frame, kept until the frame is read back.
struct FrameRecord {
    /// The cameras' frames that the frame shows.
    var inputs = FrameInputs()
    /// The frame's tick; ticks without a frame are counted, too.
    var tick = 0
    /// The tick of the previous frame; before the first frame, one less than the output's first tick.
    var previous = -1
    /// The number of ticks before the frame that were left out on purpose.
    var thinned = 0
}

extension PlanRunner.Recipients {
    /// True when a sink takes the frame of a tick.
    ///
    /// - Parameters:
    ///   - sink: The sink's node.
    ///   - tick: The tick.
    ///   - previous: The latest earlier tick with a frame.
    ///   - time: The frame's timestamp.
    /// - Returns: True when the sink takes the frame.
    func isDue(_ sink: NodeID, _ tick: Int, after previous: Int, at time: Timestamp) -> Bool {
        (gates[sink]?.isOpen(at: tick, after: previous) ?? true) && (intervals[sink]?.isOpen(at: time) ?? true)
    }

    /// Records that a sink takes a frame.
    ///
    /// - Returns: The number of the sink's frames before this frame that were left out on purpose.
    private func take(_ frame: Frame, for sink: NodeID, _ record: FrameRecord) -> Int {
        if let gate = intervals[sink] {
            let passed = gate.take(at: frame.timestamp)
            return record.thinned > 0 ? passed : 0
        }
        return gates[sink]?.repeats(at: record.tick, after: record.thinned) ?? record.thinned
    }

    /// Delivers a frame to its sinks.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - sinks: The nodes of the frame's sinks.
    ///   - record: The frame's record.
    ///   - clock: The clock for the wait on full sinks.
    ///   - isEnding: Returns true while the session ends; then the function waits at most half a second for a full
    ///     sink.
    func deliver(
        _ frame: Frame, to sinks: [NodeID], _ record: FrameRecord, clock: MonotonicClock, isEnding: () -> Bool
    ) {
        func isOpen(_ sink: NodeID) -> Bool {
            isDue(sink, record.tick, after: record.previous, at: frame.timestamp)
        }
        // Announce the frame to every sink first, so that an encoder knows all sinks that share it before it encodes.
        for id in sinks where isOpen(id) { receivers[id]?.expect(frame) }
        for id in sinks where isOpen(id) {
            guard let receiver = receivers[id] else { continue }
            let repeats = take(frame, for: id, record)
            let patience = clock.now.advanced(by: .milliseconds(500))
            while !receiver.submit(frame, repeats: repeats, until: clock.now.advanced(by: .milliseconds(50))) {
                if isEnding() && clock.now >= patience { break }
            }
        }
    }
}
