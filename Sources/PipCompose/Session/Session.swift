internal import Logging
internal import Synchronization

/// A running graph: opened sources, a plan, a renderer and sinks.
///
/// Creating a session validates the graph, opens and negotiates the sources, and makes the first plan.
/// ``run(for:frames:from:)`` draws frames and finishes every file, whatever ends the run. A session runs once.
///
/// Thread: any.
public final class Session: Sendable {
    /// The events of the session, from its creation on.
    ///
    /// One task should iterate over the events. While no task iterates, only the latest 256 events are kept.
    public let events: AsyncStream<SessionEvent>
    /// The output rate without relief from pressure; in file time when the session runs as fast as possible.
    public var outputRate: FrameRate { timing.rate }
    /// True when the session runs as fast as files can be read, drawn and written.
    public var isOffline: Bool { timing.isOffline }
    private let wiring: Wiring
    private let claim: GraphClaim
    let controller: SessionController
    private let eventContinuation: AsyncStream<SessionEvent>.Continuation
    private let timing: RenderTiming
    private let phase: Mutex<Phase> = Mutex(.ready)
    private let stopSignal: StopSignal = StopSignal()
    private let stills: StillTaker

    private enum Phase { case ready, running, over }

    /// Prepares a graph to run.
    ///
    /// Cancelling the task ends the wait for streams, and for a user who must give permission.
    ///
    /// - Parameters:
    ///   - producer: Any node of the graph. Everything connected to the node belongs to the session.
    ///   - options: The session's options.
    /// - Throws: ``SessionError`` when the graph or an output is invalid, another session draws the graph, a source or
    ///   an output's input file cannot be opened, or no renderer is usable. Then nothing stays open.
    public convenience init(
        _ producer: some FrameProducer, options: SessionOptions = SessionOptions()
    ) async throws(SessionError) {
        try await self.init(producer, options: options, cameras: CameraDirectory())
    }

    package init(
        _ producer: some FrameProducer, options: SessionOptions, cameras: CameraDirectory
    ) async throws(SessionError) {
        wiring = producer.node.wiring
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionEvent.self, bufferingPolicy: .bufferingNewest(256))
        events = stream
        eventContinuation = continuation
        let graph = wiring.graph
        let claim = GraphClaim(wiring)
        self.claim = claim
        do throws(SessionError) {
            guard claim.isValid else { throw .inUse }
            do throws(GraphError) { try graph.validate() } catch { throw SessionError(error) }
            controller = SessionController(wiring, options, cameras, stopSignal, continuation)
            stills = StillTaker(wiring, claim, controller, clock: options.time)
            timing = try await controller.open(graph)
        } catch {
            claim.end()
            graph.endStreams()
            throw error
        }
    }

    deinit {
        claim.end()
        wiring.graph.endStreams()
        eventContinuation.finish()
    }

    /// The graph in its present state; within a closure that changes the session, with the changes made so far.
    public var graph: Graph { wiring.graph }

    /// Draws frames until the run ends, then finishes every file.
    ///
    /// The run ends when the time is over, the number of frames is reached, all finite sources have ended and no source
    /// is live, ``stop()`` is called, or the task is cancelled. Failures and the pressure policy may end the run, too.
    ///
    /// A run may draw a part of a longer output, from frame number `first` on. Files are read from that frame's time
    /// on. Each frame equals that of the complete output, unless an effect keeps earlier frames (``temporalEffects``).
    ///
    /// - Parameters:
    ///   - duration: The length in output time; nil has no limit.
    ///   - frames: The most output frames; nil has no limit.
    ///   - first: The number of the first frame, counted from 0 at the beginning of all files.
    /// - Throws: ``SessionError`` when the session has run before, a file cannot be created, the GPU is lost for good,
    ///   or all sinks have failed. If one sink or source has failed, its error is thrown once everything is finished.
    public func run(
        for duration: Duration? = nil, frames: Int? = nil, from first: Int = 0
    ) async throws(SessionError) {
        let isFirst = phase.withLock { phase in
            defer { if phase == .ready { phase = .running } }
            return phase == .ready
        }
        guard isFirst else { throw .alreadyRan }
        var timing = timing
        timing.limits = RenderTiming.Limits(first: max(0, first), frames: frames)
        if let duration { timing.limits.end = timing.limits.first + ticks(in: duration) }
        let failure = await withTaskCancellationHandler(
            operation: { [timing] in await controller.run(timing) }, onCancel: { stopSignal.raise() })
        phase.withLock { $0 = .over }
        claim.end()
        wiring.graph.endStreams()
        eventContinuation.yield(.stopped)
        eventContinuation.finish()
        if let failure { throw failure }
    }

    /// True from the beginning of ``run(for:frames:from:)`` until all files are finished.
    public var isRunning: Bool { phase.withLock { $0 == .running } }

    /// The number of ticks in a length of output time, at least 1; a frame is due at each tick.
    package func ticks(in duration: Duration) -> Int {
        max(1, Int((duration.inSeconds * outputRate.framesPerSecond).rounded()))
    }

    /// Ends ``run(for:frames:from:)``, which first finishes every file, within ``SessionOptions/closingTime``.
    public func stop() { stopSignal.raise() }

    /// Makes several changes to the graph at once: all are drawn from the same frame on, or none is.
    ///
    /// The closure may also change running cameras: their ``CameraSource/wish``, ``CameraSource/selector`` and
    /// ``CameraSource/isEnabled``. Drivers and bus bandwidth are checked for all cameras before the first one is set.
    /// Cameras without a change are not touched.
    ///
    /// Handles read and edit a draft within the closure. Other tasks see the former graph until the draft is drawn.
    /// Changes by other tasks in the meantime are kept. If the draft and another task change one effect's parameters,
    /// or one property of a layer, the draft wins. Other sources and outputs go on without a gap. New sources and
    /// outputs are opened before the change is drawn, however long that takes. Removed outputs are finished on return.
    ///
    /// ```swift
    /// let next = try await session.configure {
    ///     try inset.remove()
    ///     recording.remove()
    ///     return picture --> Y4MFile("2.y4m")
    /// }
    /// ```
    ///
    /// - Parameter change: Edits handles of this session's graph, or new ones: effects, layers, connections, outputs.
    /// - Returns: The result of `change`, such as the handle of a new output.
    /// - Throws: The error of `change`, or ``SessionError`` when the result cannot be drawn or opened, a camera refuses
    ///   its change, or the session has ended. Then nothing has changed, and all handles keep their former state.
    @discardableResult
    public func configure<R>(_ change: () throws -> R) async throws -> R { try await configure(change, nil) }

    /// Makes several changes to the graph at once, and animates the changes of layers.
    ///
    /// Works like ``configure(_:)``, but layers change over `duration`, from the first frame that draws the changes:
    ///
    /// - A layer's rectangle and crop move, each edge on whole pixels. Rotation and mirroring change at once.
    /// - Opacity, corner radius, border and shadow change; a border grows from no width, a shadow from no opacity.
    /// - Layers that are added, removed, or switched on or off appear and disappear by the transition.
    /// - Pictures that are exchanged by ``Compositor/swap(_:_:)`` move from one place and look to the other. Their
    ///   drawing order changes halfway through the motion.
    ///
    /// Everything else, such as effects, changes at once. A motion that is changed while it runs continues from its
    /// present state. Layers that a later change does not concern continue to move.
    ///
    /// Handles and ``graph`` have the final values at once; ``place(of:)`` and ``layer(atX:y:of:)`` follow the latest
    /// frame. Removed sources are closed once their layers are gone. Nothing moves before the run or in a transaction.
    ///
    /// ```swift
    /// try await session.configure(over: .milliseconds(300)) {
    ///     try picture.swap(main, inset)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - duration: The length of the motion, in output time. Zero shows the changes at once.
    ///   - easing: The easing of the motion.
    ///   - transition: The transition of layers that appear and disappear.
    ///   - change: Edits handles of this session's graph, or new ones.
    /// - Returns: The result of `change`, when the motion begins.
    /// - Throws: The error of `change`, or ``SessionError`` when the result cannot be drawn or opened, a camera refuses
    ///   its change, or the session has ended. Then nothing has changed.
    @discardableResult
    public func configure<R>(
        over duration: Duration, easing: Easing = .easeInOut, transition: Transition = .fade, _ change: () throws -> R
    ) async throws -> R {
        try await configure(change, MotionStyle(duration: duration, easing: easing, transition: transition))
    }

    /// Combines the changes of several calls into one change, which is made when the closure returns.
    ///
    /// The closure may edit handles, and call ``configure(_:)``, ``setMode(_:of:)``, ``setEnabled(_:_:)``,
    /// ``switchCamera(_:to:wish:)``, ``adjust(_:_:)`` and ``setControls(_:of:)``. A transaction within the closure
    /// joins this one. The changes are checked and made when the outermost transaction ends.
    /// When an inner transaction throws, its own changes are left out; the outer closure decides whether to go on.
    ///
    /// ```swift
    /// try await session.transaction {
    ///     try await session.switchCamera(main, to: .back)
    ///     try await session.setMode(CameraWish(size: .hd1080), of: inset)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The isolation of the closure, which is the caller's.
    ///   - change: Edits handles of this session's graph, in its own task only.
    /// - Returns: The result of `change`.
    /// - Throws: The error of `change`, or ``SessionError`` when the result cannot be drawn or opened, a camera refuses
    ///   its change, or the session has ended. Then nothing has changed.
    @discardableResult
    public func transaction<R>(
        isolation: isolated (any Actor)? = #isolation, _ change: () async throws -> R
    ) async throws -> R {
        if let outer = Draft.joined(by: wiring) { return try await outer.edit(change) }
        let draft = Draft(of: wiring)
        let result = try await draft.edit(change)
        try await commit(draft, nil)
        return result
    }

    /// The transaction that the present task takes part in; nil outside of a transaction of this session.
    var joinedDraft: Draft? { Draft.joined(by: wiring) }

    private func configure<R>(_ change: () throws -> R, _ style: MotionStyle?) async throws -> R {
        if let outer = Draft.joined(by: wiring) { return try outer.edit(change) }
        let draft = Draft(of: wiring)
        let result = try draft.edit(change)
        try await commit(draft, style)
        return result
    }

    private func commit(_ draft: Draft, _ style: MotionStyle?) async throws {
        guard draft.owners.isSubset(of: [ObjectIdentifier(claim)]) else { throw SessionError.otherGraph }
        try await controller.commit(draft, style)
    }

    // MARK: Stills

    /// Takes a still picture: the next frame of a node, at full size.
    ///
    /// The other outputs and the cameras go on without a gap.
    ///
    /// - Parameters:
    ///   - producer: A compositor, a filter, or a source for its own picture.
    ///   - format: The file format.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The encoded picture.
    /// - Throws: ``SessionError`` when the session does not run, the node is not in its graph, or no frame came.
    public func still(
        of producer: some FrameProducer, as format: Still.Format = .jpeg, within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(producer)
        return try await stills.take(of: producer, as: format, within: limit)
    }

    /// Takes a still picture of a camera, lit by its flash, or else by its torch.
    ///
    /// The camera's control fires the flash, which lights at least the next frame that begins after that. A torch is
    /// lit half a second before the picture, and put out afterwards.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - format: The file format.
    ///   - flash: The use of the flash. `automatic` first takes a picture without light, and lights another one if that
    ///     picture is dark and the camera has a light.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The encoded picture.
    /// - Throws: ``SessionError`` when the session does not run, the camera must light the picture and has no light,
    ///   the camera is lost or not of this session, or no frame came.
    public func still(
        of camera: CameraSource, as format: Still.Format = .jpeg, flash: CameraFlash,
        within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(camera)
        return try await stills.take(of: camera, as: format, flash: flash, within: limit)
    }

    /// Takes a still picture at the camera's largest size, and restores the camera's mode afterwards.
    ///
    /// The camera misses some frames while it changes its mode; other sources go on without a gap. Pressure may limit
    /// the size.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - format: The file format.
    ///   - flash: The use of the flash, as in ``still(of:as:flash:within:)``.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The encoded picture.
    /// - Throws: ``SessionError`` when the session does not run, the camera must light the picture and has no light,
    ///   the camera is lost or not of this session, or no frame came.
    public func largestStill(
        of camera: CameraSource, as format: Still.Format = .jpeg, flash: CameraFlash = .off,
        within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(camera)
        return try await stills.takeLargest(of: camera, as: format, flash: flash, within: limit)
    }

    private func checkRunning(_ producer: some FrameProducer) throws(SessionError) {
        guard !isRunning else { return }
        throw .noPicture(of: producer.node.wiring.graph.label(of: producer.node.id), reason: "the session does not run")
    }
}
