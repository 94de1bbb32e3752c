/// The state of a session, its pressure, its costs and its moments.
extension Session {
    /// Makes Mesa's software renderer draw without threads of its own, unless `LP_NUM_THREADS` is set.
    ///
    /// Call this function at the beginning of `main`: the process's environment is not safe to change once another
    /// thread runs.
    public static func prepareProcess() { Environment.configureSoftwareRenderer(threads: 0) }

    /// The number of existing GL objects of each kind.
    package var objectCounts: ObjectCounts { get async { await controller.objectCounts } }

    /// The titles of the effects that mix each frame with earlier frames; muted effects are left out.
    ///
    /// Such an effect makes a frame depend on where the output began.
    public var temporalEffects: [String] { graph.temporalEffects }

    /// The latest plan; while layers move, the plan of the latest frame.
    public var plan: RenderPlan { controller.published.results.plan }

    /// The renderer of the session's latest plan.
    public var renderer: SessionRenderer { controller.published.results.withLock { $0.renderer } }

    /// The session's counters and measurements so far.
    public var statistics: SessionStatistics { SessionStatistics(controller.published) }

    /// The open cameras and streams that are lost at present, in opening order.
    ///
    /// Reads the states alone, so that a caller may ask many times a second; ``statistics`` gathers every counter.
    package var lostSources: [LostSource] { controller.published.sources.lost }

    /// The machine's pressure level at the latest measurement, or the pinned level.
    package var pressureLevel: PressureLevel { controller.published.pressureLevel }

    /// The length of the longest file, as the files declare it.
    ///
    /// Nil when a file declares no length, or without finite sources.
    public var fileLength: Duration? { controller.published.sources.length }

    /// The load of each bus with open cameras.
    ///
    /// Buses of unknown bandwidth are left out.
    public var busLoads: [BusLoad] { controller.published.sources.busLoads(controller.cameras) }

    /// The largest share of a bus's bandwidth that the cameras request.
    ///
    /// Above 1, the bus lacks bandwidth for its cameras. Nil without cameras on a bus of known bandwidth.
    public var hardwareCost: Double? { busLoads.map(\.cost).max() }

    /// Marks a moment: each recording of clips (`MovieFile` with a `ClipWindow`) writes a clip around the moment.
    ///
    /// The call returns at once. The session tells of the moment, and of each complete clip, by an event.
    ///
    /// - Parameters:
    ///   - name: The moment's name, such as `brake`. It is written into the files.
    ///   - reason: The cause, such as `0.6 g`.
    ///   - time: The time of the moment. Nil for the present.
    /// - Returns: The number of recordings that keep the moment; 0 when the session has none.
    @discardableResult
    public func mark(_ name: String, reason: String? = nil, at time: Timestamp? = nil) -> Int {
        controller.published.moments.mark(name, reason: reason, at: time)
    }

    /// Overrides the sensors with a pressure level, for trying out a policy; nil follows the sensors again.
    public func pinPressure(_ level: PressureLevel?) async { await controller.pin(level) }

    /// Switches to another pressure policy.
    ///
    /// The mitigations are decided anew with the next measurement of the pressure. Mitigations that the new policy does
    /// not demand then end.
    public func setPressurePolicy(_ policy: PressurePolicy) async { await controller.use(policy) }

    /// The predicted cost of the session's present graph, without relief.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public var predictedCost: SessionCost {
        get async throws(SessionError) { try await controller.predictedCost(of: graph, under: PressureRelief()) }
    }

    /// Predicts the saving of each step of a policy, in the order of the steps.
    ///
    /// Units: shares as in ``SessionCost``.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public func predictedSavings(of policy: PressurePolicy) async throws(SessionError) -> [Double] {
        var savings: [Double] = []
        var last = try await predictedCost.total
        for count in policy.steps.indices {
            let next = try await controller.predictedCost(of: graph, under: policy.relief(ofFirst: count + 1)).total
            savings.append(last - next)
            last = next
        }
        return savings
    }

    /// Finds the encoders that the session's recordings and streams use or would use.
    ///
    /// The encoders of an output are tried in turn with a few frames of the output's size and format, until one takes
    /// them. The process tries each encoder only once for such frames. An encoder that hangs takes 8 seconds. The
    /// measured times include everything that the process does, so call this method before the session runs. Files of
    /// cameras' own frames are left out.
    ///
    /// - Returns: One encoder for each output that is encoded, in the order of the plan's outputs.
    public func encoders() async -> [OutputEncoder] {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-enc-trial") { [self] in continuation.resume(returning: triedEncoders()) }
        }
    }

    private func triedEncoders() -> [OutputEncoder] {
        let (graph, plan) = (graph, plan)
        return plan.outputs.flatMap { output in
            output.sinks.compactMap { id in
                guard let sink = graph.connectedSink(id)?.sink, let survey = sink.opening.encoder else { return nil }
                let rate = sink.frameRate.map { min($0, outputRate) } ?? outputRate
                return survey(FrameInfo(layout: output.layout, colorimetry: output.colorimetry), rate)
            }
        }
    }
}
