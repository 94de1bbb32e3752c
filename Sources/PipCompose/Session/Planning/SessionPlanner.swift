internal import PipRender

/// Makes the plans of the drawn graph and of graphs that may be drawn later, and predicts their cost.
///
/// Thread: the session's controller only.
struct SessionPlanner {
    let sources: SourceRegistry
    let outputs: OutputRegistry
    let executors: PlanExecutors
    let options: SessionOptions
    let results: RenderResults
    /// The state that names the main source and the relief in force.
    let state: SessionState

    /// Plans a graph with the present facts.
    ///
    /// Opens OpenGL ES for a plan that the CPU cannot draw.
    func planned(_ graph: Graph) async throws(SessionError) -> (plan: RenderPlan, facts: PlanningState) {
        let facts = facts(of: graph)
        do throws(SessionError) {
            return (try facts.plan(), facts)
        } catch .graph(.undrawable(let effects)) {
            guard await executors.openForPlan() else { throw .graph(.undrawable(effects: effects)) }
        }
        let other = self.facts(of: graph)
        return (try other.plan(), other)
    }

    /// The present facts that the plan of a graph is made from.
    func facts(of graph: Graph) -> PlanningState {
        let feeds = sources.feeds
        return PlanningState(
            graph: graph, main: state.main(of: graph),
            presence: feeds.mapValues(\.announcedPresence),
            formats: feeds.mapValues(\.format), placeholders: sources.placeholders,
            zooms: sources.digitalZooms(in: graph), requests: outputs.requests,
            capabilities: executors.capabilities, fuses: options.fuses, effects: state.relief.effects,
            time: results.withLock { $0.time })
    }

    /// Predicts the cost of the session while a relief is in force.
    func predictedCost(of graph: Graph, under relief: PressureRelief) throws(SessionError) -> SessionCost {
        let rate = timing(of: graph).rate
        return try SessionCost.predicted(facts(of: graph), under: relief, sources.listed.feeds, rate: rate)
    }

    /// The timing of a graph's output, which depends on the open sources.
    func timing(of graph: Graph) -> RenderTiming {
        let feeds = sources.feeds
        let mainRate = state.main(of: graph).flatMap { feeds[$0]?.rate } ?? FrameRate(30)
        let isLive = feeds.values.contains(where: \.inlet.isLive)
        let rate = if case .rate(let rate) = options.clock { rate } else { mainRate }
        return RenderTiming(
            rate: rate, isOffline: options.pace == .maximum && !isLive,
            followsCamera: options.clock == .mainCamera, patience: options.patience)
    }

    /// Compiles the plans that are drawn when one of the cameras and streams is missing.
    ///
    /// Compiling takes longer than a frame interval, so these plans must be compiled before a camera is lost.
    func rehearse(_ graph: Graph, in loop: RenderLoop) async {
        var plans: Set<RenderPlan> = []
        for id in sources.vanishingIDs {
            for absence in [Presence.gone, .none] {
                var facts = facts(of: graph)
                facts.presence = [id: absence]
                // A plan that fails here reports its error when it is needed.
                if let plan = try? facts.plan() { plans.insert(plan) }
            }
        }
        await rehearsal(in: loop).run(plans)
    }

    /// Makes a rehearsal with the outputs' present number of frame buffers.
    func rehearsal(in loop: RenderLoop) -> Rehearsal {
        Rehearsal(loop: loop, gpu: executors.gpu, framesInFlight: outputs.framesInFlight)
    }
}
