internal import Logging
internal import Synchronization

/// A graph that runs: sources, a plan, what draws it, and sinks.
///
/// Making it validates the graph, opens and negotiates the sources and compiles the plan;
/// ``run(for:frames:from:)`` makes frames and finishes every file, whatever ends it. It runs once. All its members can
/// be used from any task.
public final class Session: Sendable {
    /// The events of the session, from its creation on.
    ///
    /// One task should iterate over it; old events go first when nobody does.
    public let events: AsyncStream<SessionEvent>
    /// The output's frames a second; in file time when the session runs as fast as possible.
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
    /// Cancelling its task ends the wait for streams, and for a user who is asked.
    ///
    /// - Parameters:
    ///   - producer: Any node of the graph; everything that is connected to it belongs to the session.
    ///   - options: The session's options.
    /// - Throws: ``SessionError``: the graph cannot be drawn or is another session's, a source cannot be opened, or
    ///   there is nothing that can draw it; then nothing stays open.
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

    /// The graph as it is now.
    public var graph: Graph { wiring.graph }

    /// Makes frames until the time is over, the number is reached, all finite sources have ended, ``stop()`` is called
    /// or the task is cancelled; then finishes every file.
    ///
    /// A part of a longer output begins with frame number `first`. Files are read from that moment on.
    /// Each frame is the one that the whole would have, unless an effect keeps earlier frames (``temporalEffects``).
    ///
    /// - Parameters:
    ///   - duration: The length in output time; nil has no limit.
    ///   - frames: The most output frames; nil has no limit.
    ///   - first: The number of the first frame, counted from 0 at the beginning of all files.
    /// - Throws: ``SessionError`` when a file cannot be created, all sinks have failed, or (after everything is
    ///   finished) a sink or a file source has failed on the way.
    public func run(
        for duration: Duration? = nil, frames: Int? = nil, from first: Int = 0
    ) async throws(SessionError) {
        let isFirst = phase.withLock { phase in
            defer { phase = .running }
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

    /// True from the beginning of ``run(for:frames:from:)`` until everything is finished.
    public var isRunning: Bool { phase.withLock { $0 == .running } }

    /// The moments of the output in a time, at each of which a frame is due.
    package func ticks(in duration: Duration) -> Int {
        max(1, Int((duration.inSeconds * outputRate.framesPerSecond).rounded()))
    }

    /// Ends ``run(for:frames:from:)``: drawn frames are still written, every file is finished, then `run` returns.
    public func stop() { stopSignal.raise() }

    /// Makes several changes to the graph at once: they are drawn together from one frame on, or not at all.
    ///
    /// Cameras that run are among what can be changed: their ``CameraSource/wish``, ``CameraSource/selector`` and
    /// ``CameraSource/isEnabled``. All of it is checked, by drivers and by what their buses have, before the first
    /// is set; a camera of which nothing is changed is not touched.
    ///
    /// Within the closure, handles show and change a draft; everybody else sees the graph as it was until the draft is
    /// drawn. Changes that other tasks make meanwhile are kept; where both change the same parameter or layer, the
    /// draft wins. Sources and outputs that the changes do not touch go on without a gap. New ones are opened first, in
    /// their own time; removed outputs are finished when this returns.
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
    /// - Throws: What `change` throws, or ``SessionError`` when the result cannot be drawn, or the session has ended;
    ///   then nothing has changed, and all handles are as they were.
    @discardableResult
    public func configure<R>(_ change: () throws -> R) async throws -> R { try await configure(change, nil) }

    /// Makes several changes to the graph at once, and lets layers come to their new places and looks over a while.
    ///
    /// As ``configure(_:)``; but from the first frame that draws them, the changes of layers come about over the
    /// duration, at each frame's own time:
    ///
    /// - A layer's rectangle moves, each edge to its new place, on whole pixels; so does the part of the picture that
    ///   it shows. A picture that is turned or mirrored is so at once.
    /// - Opacity, corner radius, border and shadow change; a border grows from no width, a shadow from no opacity.
    /// - Layers that are added, removed or switched on or off come and go by the transition.
    /// - Pictures that are exchanged by ``Compositor/swap(_:_:)`` move from one place and look to the other. Where
    ///   they cross, the order in which they are drawn changes halfway.
    ///
    /// Everything else, effects among it, changes at once. A motion that is changed while it runs goes on from what is
    /// shown at that moment; layers that a later change does not touch move on. Handles and ``graph`` know the end of
    /// the motion at once; ``place(of:)`` and ``layer(atX:y:of:)`` know the latest frame. What is removed is closed
    /// once it is gone. In a session that does not run yet, all changes come at once.
    ///
    /// ```swift
    /// try await session.configure(over: .milliseconds(300)) {
    ///     try picture.swap(main, inset)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - duration: The length of the motion, in output time; 0 is none.
    ///   - easing: Its course.
    ///   - transition: The transition of layers that come and go.
    ///   - change: Edits handles of this session's graph, or new ones.
    /// - Returns: The result of `change`, when the motion begins.
    /// - Throws: What `change` throws, or ``SessionError`` when the result cannot be drawn, or the session has ended;
    ///   then nothing has changed.
    @discardableResult
    public func configure<R>(
        over duration: Duration, easing: Easing = .easeInOut, transition: Transition = .fade, _ change: () throws -> R
    ) async throws -> R {
        try await configure(change, MotionStyle(duration: duration, easing: easing, transition: transition))
    }

    /// Makes the changes of several calls at once: those of ``configure(_:)``, ``setMode(_:of:)``,
    /// ``setEnabled(_:_:)``, ``switchCamera(_:to:wish:)``, ``adjust(_:_:)`` and ``setControls(_:of:)`` within the
    /// closure, and of handles.
    ///
    /// Functions that change something each for itself can be put together by it; one that has a transaction of its
    /// own joins. The changes are checked and made when the outermost one ends. What an inner one has thrown is left
    /// out, and is up to the closure.
    ///
    /// ```swift
    /// try await session.transaction {
    ///     try await session.switchCamera(main, to: .back)
    ///     try await session.setMode(CameraWish(size: .hd1080), of: inset)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The closure's isolation: the caller's.
    ///   - change: Edits handles of this session's graph, on its own task only.
    /// - Returns: The result of `change`.
    /// - Throws: What `change` throws, or ``SessionError`` when the result cannot be drawn, a camera does not take it,
    ///   or the session has ended; then nothing has changed.
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

    /// The transaction of this session in which the present task makes its changes; nil outside of one.
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

    /// Takes a picture: the next frame of a node, at its full size.
    ///
    /// Other outputs, and the cameras, go on without a gap.
    ///
    /// - Parameters:
    ///   - producer: A compositor, a filter, or a source for its own picture.
    ///   - format: The kind of file.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The picture, encoded.
    /// - Throws: ``SessionError`` when the session does not run, the node is not of its graph, or no frame came.
    public func still(
        of producer: some FrameProducer, as format: Still.Format = .jpeg, within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(producer)
        return try await stills.take(of: producer, as: format, within: limit)
    }

    /// Takes a picture of a camera, lit by its flash, or else by its torch.
    ///
    /// The flash fires by the camera's control and lights at least the frame that begins after that; a torch is lit for
    /// half a second before, and put out again.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - format: The kind of file.
    ///   - flash: The use of the flash. `automatic` takes a picture without light first, and keeps it when the camera
    ///     has no light.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The picture, encoded.
    /// - Throws: ``SessionError`` when the session does not run, the camera has no light, is lost or not of this
    ///   session, or no frame came.
    public func still(
        of camera: CameraSource, as format: Still.Format = .jpeg, flash: CameraFlash,
        within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(camera)
        return try await stills.take(of: camera, as: format, flash: flash, within: limit)
    }

    /// Takes a picture at the largest size that a camera has, and sets it back to what it was.
    ///
    /// The camera misses some frames while it changes; all others go on without a gap. Pressure may limit its size.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - format: The kind of file.
    ///   - flash: The use of the flash, as in ``still(of:as:flash:within:)``.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The picture, encoded.
    /// - Throws: ``SessionError`` when the session does not run, the camera is lost or not of this session, or no frame
    ///   came.
    public func largestStill(
        of camera: CameraSource, as format: Still.Format = .jpeg, flash: CameraFlash = .off,
        within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(camera)
        return try await stills.takeLargest(of: camera, as: format, flash: flash, within: limit)
    }

    private func checkRunning(_ producer: some FrameProducer) throws(SessionError) {
        guard !isRunning else { return }
        throw .noPicture(of: graph.label(of: producer.node.id), reason: "the session does not run")
    }
}
