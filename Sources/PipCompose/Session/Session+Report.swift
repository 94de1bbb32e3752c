/// The state of a session, its pressure and its costs.
extension Session {
    /// Sets the process up for drawing: on a machine without a GPU, how many threads draw.
    ///
    /// Call it before the first session.
    public static func prepareProcess() { Environment.configureSoftwareRenderer(threads: 0) }

    /// The numbers of GL objects that exist.
    package var objectCounts: ObjectCounts { get async { await controller.objectCounts } }

    /// The names of the effects that mix each frame with those before it, so that a frame depends on where the output
    /// began.
    public var temporalEffects: [String] { graph.temporalEffects }

    /// The plan in use.
    public var plan: RenderPlan { controller.published.results.plan }

    /// The renderer of the plan in use.
    public var renderer: SessionRenderer { controller.published.results.withLock { $0.renderer } }

    /// Counters and measurements so far.
    public var statistics: SessionStatistics { SessionStatistics(controller.published) }

    /// The length of the longest of its files, as they say it; nil where one does not, or nothing ends by itself.
    public var fileLength: Duration? { controller.published.sources.length }

    /// The load that the cameras put on the buses that they share; buses of unknown speed are left out.
    public var busLoads: [BusLoad] { controller.published.sources.busLoads(controller.cameras) }

    /// The largest share of a bus that the cameras ask for: above 1 they do not fit.
    ///
    /// Nil without cameras on a known bus.
    public var hardwareCost: Double? { busLoads.map(\.cost).max() }

    /// Overrides the sensors with a level, to try a policy out.
    ///
    /// Nil follows the sensors again.
    public func pinPressure(_ level: PressureLevel?) async { await controller.pin(level) }

    /// Follows another policy from now on.
    ///
    /// Mitigations that the new policy lacks are taken back at once. Its own are taken anew.
    public func setPressurePolicy(_ policy: PressurePolicy) async { await controller.use(policy) }

    /// The expected cost of the session as it is configured.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn any more.
    public var predictedCost: SessionCost {
        get async throws(SessionError) { try await controller.predictedCost(of: graph, under: PressureRelief()) }
    }

    /// The expected saving of each step of a policy, in the order in which they are taken; shares as in
    /// ``SessionCost``.
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

    /// The encoders that recordings and streams of the session as it is configured would use, or use.
    ///
    /// Each is tried with a few frames of the output's size and format, unless this process has tried it before; an
    /// encoder that hangs takes 8 seconds. Their times count all that the process does: ask before the session runs. Of
    /// cameras' own files nothing is told.
    ///
    /// - Returns: One for each output that is encoded, in the order of the plan's outputs.
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
