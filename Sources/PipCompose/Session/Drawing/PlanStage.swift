internal import PipPixels
internal import PipPlan
internal import PipRender

/// What a render loop draws with: the plan in use with its objects, and the motions that change it between frames.
///
/// Belongs to the render thread.
final class PlanStage {
    /// The sinks of a plan.
    struct Recipients {
        var sinks: [NodeID: any FrameReceiver] = [:]
        /// The moments of the sinks that take fewer frames than are made.
        var gates: [NodeID: OutputGate] = [:]
    }

    private let clock: MonotonicClock
    private var renderer = Renderer()
    private var threads: DrawingThreads
    private var installed: PreparedPlan?
    private var pending: PreparedPlan?
    private var framesInFlight = 1
    private var recipients = Recipients()
    private var feeds: [NodeID: SourceFeed] = [:]
    /// Nil while nothing moves.
    private var player: MotionPlayer?
    private var countOfEnded = 0

    init(threads: DrawingThreads, clock: MonotonicClock) {
        self.threads = threads
        self.clock = clock
        useThreads()
    }

    /// The plan in use; nil before the first.
    var plan: RenderPlan? { installed?.plan }

    /// The sources that the plan in use draws, in its order.
    var drawnFeeds: [SourceFeed] { installed?.sources.compactMap { feeds[$0] } ?? [] }

    // MARK: Plans

    /// Makes the GL objects of a plan, to be drawn with from ``install(_:feeds:_:)`` on.
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
    ///   - recipients: The plan's sinks.
    ///   - feeds: All sources by their nodes.
    ///   - motion: The motions, and all that their plans are made from; nil when nothing moves.
    func install(
        _ recipients: Recipients, feeds: [NodeID: SourceFeed], _ motion: (score: MotionScore, state: PlanningState)?
    ) {
        guard let plan = pending.take() else { return }
        player = motion.map { player($0.score, $0.state) }
        countOfEnded = player?.ended.count ?? 0
        (self.recipients, self.feeds) = (recipients, feeds)
        use(plan)
    }

    private func use(_ plan: PreparedPlan) {
        installed = plan
        renderer.use(plan)
    }

    // MARK: Motion

    /// True when plans change between frames.
    var isMoving: Bool { player != nil }

    /// A player of a score that goes on with what is shown now.
    func player(_ score: MotionScore, _ state: PlanningState) -> MotionPlayer {
        MotionPlayer(score, state, after: player, plan)
    }

    /// Draws with the plan of a frame from here on.
    ///
    /// - Parameters:
    ///   - moment: The frame's time in the output.
    ///   - time: The time by which effects come and go.
    ///   - gpu: The context.
    /// - Returns: The plan; nil when it is the one before.
    /// - Throws: ``GLError`` when it cannot be prepared; then the one before is drawn.
    func move(at moment: Duration, time: Duration, on gpu: isolated RenderContext) throws(GLError) -> RenderPlan? {
        guard let plan = player?.plan(at: moment, time: time), plan != self.plan else { return nil }
        use(try renderer.prepare(plan, framesInFlight: framesInFlight, on: gpu))
        return plan
    }

    /// The motions that are over, by their numbers, when one has ended since the last call.
    func takeEndedMotions() -> Set<Int>? {
        guard let ended = player?.ended, ended.count != countOfEnded else { return nil }
        countOfEnded = ended.count
        return ended
    }

    // MARK: Frames

    /// True when every output has memory for one more frame.
    var hasRoom: Bool { renderer.hasRoom }

    /// Draws one frame of every output that is due.
    ///
    /// - Parameters:
    ///   - frames: The newest frame of each of the plan's sources.
    ///   - timestamp: The frame's time.
    ///   - sequence: Its number.
    ///   - time: The time by which effects come and go.
    ///   - tick: Its moment, left-out ones counted.
    ///   - previous: The moment of the frame before.
    ///   - interval: From one frame to the next.
    ///   - gpu: The context.
    /// - Returns: The numbers of frames that were drawn and left out.
    /// - Throws: ``GLError`` when a step fails.
    func draw(
        _ frames: [Frame?], timestamp: Timestamp, sequence: UInt64, time: Duration, tick: Int, after previous: Int,
        interval: Duration, on gpu: isolated RenderContext
    ) throws(GLError) -> Renderer.Tick {
        let gates = recipients.gates
        let adapts = threads.adapts && plan?.executor == .cpu
        let used = adapts ? ProcessorTime.usedByThread : .zero
        let result = try renderer.draw(
            frames, timestamp: timestamp, sequence: sequence, time: time,
            isDue: { sinks in sinks.contains { gates[$0]?.isOpen(at: tick, after: previous) ?? true } }, on: gpu)
        if adapts, threads.frameDrawn(used: ProcessorTime.usedByThread - used, interval: interval) { useThreads() }
        return result
    }

    /// Hands over frames that are done, oldest first.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for each.
    ///   - remaining: The frames that may stay in flight.
    ///   - inputs: The frames of live sources at the moment with a sequence number.
    ///   - gpu: The context.
    ///   - deliver: Takes the sinks that a frame is for, the frame, and all sinks.
    /// - Throws: ``GLError`` when a frame cannot be read back.
    func collect(
        timeout: Duration, remaining: Int, inputs: (UInt64) -> FrameInputs, on gpu: isolated RenderContext,
        _ deliver: ([NodeID], Frame, Recipients) -> Void
    ) throws(GLError) {
        let recipients = recipients
        try renderer.collect(timeout: timeout, remaining: remaining, inputs: inputs, on: gpu) { sinks, frame in
            deliver(sinks, frame, recipients)
        }
    }

    /// Takes the error for which cameras' memory is copied rather than imported, once.
    func takeSharingRefusal() -> GLError? { renderer.takeSharingRefusal() }

    // MARK: The end of a context

    /// Makes all anew, on another context; motions go on.
    func reset() {
        renderer = Renderer()
        useThreads()
        (installed, pending) = (nil, nil)
    }

    /// Lets go of all objects.
    func dismantle() {
        (installed, pending) = (nil, nil)
        renderer.threads = nil
    }

    /// Lets as many threads draw as are to.
    private func useThreads() {
        let count = threads.count
        renderer.threads = count > 1 ? RowThreads(count: count, clock: clock) : nil
    }
}

extension PlanStage.Recipients {
    /// Hands a frame over.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - sinks: The nodes of those that it is for.
    ///   - note: Its record.
    ///   - clock: By which sinks are waited for.
    ///   - isEnding: True when a sink that is waited for is not waited for much longer.
    func deliver(
        _ frame: Frame, to sinks: [NodeID], _ note: RenderLoop.FrameNote, clock: MonotonicClock,
        isEnding: () -> Bool
    ) {
        func isOpen(_ sink: NodeID) -> Bool { gates[sink]?.isOpen(at: note.tick, after: note.previous) ?? true }
        // Those that share something, such as an encoder, know of each other before it works.
        for id in sinks where isOpen(id) { self.sinks[id]?.expect(frame) }
        for id in sinks where isOpen(id) {
            guard let receiver = self.sinks[id] else { continue }
            let repeats = gates[id]?.repeats(at: note.tick, after: note.thinned) ?? note.thinned
            let patience = clock.now.advanced(by: .milliseconds(500))
            while !receiver.submit(frame, repeats: repeats, until: clock.now.advanced(by: .milliseconds(50))) {
                if isEnding() && clock.now >= patience { break }
            }
        }
    }
}
