internal import PipPixels
internal import PipPlan
internal import PipRender

/// Draws frames with the plan in use, and with the plans that motions make of it.
///
/// Thread: render thread only.
final class PlanRunner {
    /// The outputs that frames go to.
    struct Recipients {
        /// The open outputs, keyed by node.
        var receivers: [NodeID: any FrameReceiver] = [:]
        /// The gates of the outputs that take fewer frames than are made.
        var gates: [NodeID: OutputGate] = [:]
    }

    /// The objects that frames are drawn with, from one installation to the next.
    private struct Installed {
        var recipients = Recipients()
        /// The open sources, keyed by node.
        var feeds: [NodeID: SourceFeed] = [:]
        /// Nil while no layer moves.
        var player: MotionPlayer?
        /// The number of ended motions that were told.
        var endedCount = 0
    }

    private let clock: MonotonicClock
    private var renderer = Renderer()
    private var threads: DrawingThreads
    /// The plan in use, with its lifetime; nil before the first, and after the context was lost.
    private var current: (plan: PreparedPlan, lifetime: PlanLifetime)?
    /// The plan that the next installation uses.
    private var pending: PreparedPlan?
    private var framesInFlight = 1
    private var installed = Installed()

    init(threads: DrawingThreads, clock: MonotonicClock) {
        self.threads = threads
        self.clock = clock
        startThreads()
    }

    /// The plan in use; nil before the first.
    var plan: RenderPlan? { current?.plan.plan }

    /// The sources that the plan in use draws, in its order.
    var drawnFeeds: [SourceFeed] { current?.plan.sources.compactMap { installed.feeds[$0] } ?? [] }

    // MARK: Plans

    /// Makes the GL objects of a plan, which ``install(_:rate:)`` puts into use.
    func prepare(_ plan: RenderPlan, framesInFlight: Int, on gpu: isolated RenderContext) throws(GLError) {
        pending = nil
        pending = try renderer.prepare(plan, framesInFlight: framesInFlight, on: gpu)
        self.framesInFlight = framesInFlight
    }

    /// True when a plan is prepared that is not in use yet.
    var hasPendingPlan: Bool { pending != nil }

    /// Compiles the program of one pass, so that ``prepare(_:framesInFlight:on:)`` finds it ready.
    func compile(_ pass: Pass, on gpu: isolated RenderContext) throws(GLError) {
        try renderer.compile(pass, on: gpu)
    }

    /// Warms one pass of the prepared plan up, so that the driver compiles its variant before the first frame is due.
    ///
    /// `index` counts the passes from 0.
    func warmUp(_ index: Int, on gpu: isolated RenderContext) {
        if let pending { renderer.warmUp(pending, index, on: gpu) }
    }

    /// Draws with the prepared plan from the next frame on.
    ///
    /// - Parameters:
    ///   - installation: The sources, outputs and motions.
    ///   - rate: The output rate.
    func install(_ installation: Installation, rate: FrameRate) {
        guard let plan = pending.take() else { return }
        let motions = installation.motions
        let player = motions.isEmpty ? nil : player(motions, installation.facts)
        installed = Installed(
            recipients: Recipients(receivers: installation.receivers, gates: installation.gates(of: rate)),
            feeds: installation.feeds, player: player, endedCount: player?.ended.count ?? 0)
        use(plan)
    }

    private func use(_ plan: PreparedPlan) {
        current = (plan, PlanLifetime(until: plan.plan.validUntil))
        renderer.use(plan)
    }

    /// Tells whether the plan in use has ended, and requests the next plan once.
    ///
    /// - Returns: True while the next plan is worth waiting for.
    func planHasEnded(at time: Duration, now: Timestamp, _ request: () -> Void) -> Bool {
        current?.lifetime.hasEnded(at: time, now: now, request) ?? false
    }

    // MARK: Motion

    /// True when plans change between frames.
    var isMoving: Bool { installed.player != nil }

    /// A player that continues from what is shown now.
    func player(_ motions: MotionSchedule, _ facts: PlanningState) -> MotionPlayer {
        MotionPlayer(motions, facts, after: installed.player, plan)
    }

    /// Goes over to the plan of a frame.
    ///
    /// - Parameters:
    ///   - moment: The frame's offset from the output's start.
    ///   - time: The output time, by which effects start and end.
    ///   - gpu: The context.
    /// - Returns: False when the plan stays the same.
    /// - Throws: ``GLError`` when the plan cannot be prepared. Then the plan before stays in use.
    func move(at moment: Duration, time: Duration, on gpu: isolated RenderContext) throws(GLError) -> Bool {
        guard let plan = installed.player?.plan(at: moment, time: time), plan != self.plan else { return false }
        use(try renderer.prepare(plan, framesInFlight: framesInFlight, on: gpu))
        return true
    }

    /// The numbers of all ended motions, when one has ended since the last call; nil otherwise.
    func takeEndedMotions() -> Set<Int>? {
        guard let ended = installed.player?.ended, ended.count != installed.endedCount else { return nil }
        installed.endedCount = ended.count
        return ended
    }

    // MARK: Frames

    /// True when every output has memory for one more frame.
    var hasRoom: Bool { renderer.hasRoom }

    /// Draws one frame for every output that is due.
    ///
    /// - Parameters:
    ///   - frames: The newest frame of each of the plan's sources.
    ///   - timing: The frame's position in time.
    ///   - gpu: The context.
    /// - Returns: The numbers of frames that were drawn and left out.
    /// - Throws: ``GLError`` when a step fails.
    func draw(
        _ frames: [Frame?], _ timing: FrameTiming, on gpu: isolated RenderContext
    ) throws(GLError) -> Renderer.Tick {
        let gates = installed.recipients.gates
        let adapts = threads.adapts && plan?.executor == .cpu
        let used = adapts ? ProcessorTime.usedByThread : .zero
        let result = try renderer.draw(
            frames, timestamp: timing.timestamp, sequence: timing.sequence, time: timing.time,
            isDue: { sinks in sinks.contains { gates[$0]?.isOpen(at: timing.tick, after: timing.previous) ?? true } },
            on: gpu)
        if adapts, threads.frameDrawn(used: ProcessorTime.usedByThread - used, interval: timing.interval) {
            startThreads()
        }
        return result
    }

    /// Hands over finished frames, oldest first.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for each frame.
    ///   - remaining: The number of frames that may stay in flight.
    ///   - inputs: Returns the live sources' frames in the output frame with a sequence number.
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

    /// Takes the error for which cameras' memory is copied rather than imported, once.
    func takeSharingRefusal() -> GLError? { renderer.takeSharingRefusal() }

    // MARK: The end of a context

    /// Forgets all objects of a lost context.
    ///
    /// Motions go on.
    func reset() {
        renderer = Renderer()
        startThreads()
        (current, pending) = (nil, nil)
    }

    /// Releases all objects.
    func dismantle() {
        (current, pending) = (nil, nil)
        renderer.threads = nil
    }

    /// Starts the number of drawing threads that ``threads`` has chosen.
    private func startThreads() {
        let count = threads.count
        renderer.threads = count > 1 ? RowThreads(count: count, clock: clock) : nil
    }
}

/// The record of a frame, kept until the frame is read back.
struct FrameRecord {
    /// The live sources' frames in it.
    var inputs = FrameInputs()
    /// The frame's tick.
    ///
    /// Ticks without a frame count.
    var tick = 0
    /// The tick of the frame before; -1 before the first frame.
    var previous = -1
    /// The ticks before it that were left out on purpose.
    var thinned = 0
}

extension PlanRunner.Recipients {
    /// Delivers a frame to its sinks.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - sinks: The nodes of the frame's sinks.
    ///   - record: The frame's record.
    ///   - clock: The clock for waiting on sinks.
    ///   - isEnding: Returns true when a full sink is not worth a long wait.
    func deliver(
        _ frame: Frame, to sinks: [NodeID], _ record: FrameRecord, clock: MonotonicClock, isEnding: () -> Bool
    ) {
        func isOpen(_ sink: NodeID) -> Bool { gates[sink]?.isOpen(at: record.tick, after: record.previous) ?? true }
        // Sinks that share something, such as an encoder, know of each other before it works.
        for id in sinks where isOpen(id) { receivers[id]?.expect(frame) }
        for id in sinks where isOpen(id) {
            guard let receiver = receivers[id] else { continue }
            let repeats = gates[id]?.repeats(at: record.tick, after: record.thinned) ?? record.thinned
            let patience = clock.now.advanced(by: .milliseconds(500))
            while !receiver.submit(frame, repeats: repeats, until: clock.now.advanced(by: .milliseconds(50))) {
                if isEnding() && clock.now >= patience { break }
            }
        }
    }
}
