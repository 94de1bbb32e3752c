internal import PipEffects
internal import PipFrames
package import PipGraph

/// Makes the plan of a graph: the uploads, passes and read-backs, with their sizes and formats.
///
/// A pure function: it needs no GPU, and equal inputs give equal plans.
///
/// Thread: any.
package enum Planner {
    /// Plans a graph.
    ///
    /// - Throws: ``GraphError`` when the graph is invalid or contains a cycle, when a picture is empty, too large to
    ///   draw or cannot be measured, or when no executor can draw the graph's effects.
    package static func plan(_ input: PlanInput) throws(GraphError) -> RenderPlan {
        try input.graph.validate(needsSinks: false)
        let asked = input.graph
        var input = input
        let drawn = input.graph.reduced(to: input.effectQuality).drawn(at: input.time)
        input.graph = drawn.graph
        var plan: RenderPlan
        do throws(GraphError) {
            plan = try cheapestPlan(input)
        } catch .undrawable(let shaders) {
            throw .undrawable(effects: asked.effects(calling: Set(shaders)))
        }
        plan.validUntil = drawn.until
        return plan
    }

    /// The plan with the least predicted time among plans that draw the same picture.
    private static func cheapestPlan(_ input: PlanInput) throws(GraphError) -> RenderPlan {
        var plans: [RenderPlan] = []
        if input.capabilities.executors.contains(.cpu) {
            let hasGL = input.capabilities.executors.contains(.gl)
            let (plan, obstacles) = try plan(input, blitRange: .derived, executor: .cpu)
            if obstacles.isEmpty {
                plans.append(plan)
            } else if !hasGL {
                throw .undrawable(effects: obstacles.sorted())
            }
            if hasGL && !(obstacles.isEmpty && input.capabilities.renderer.shadesOnCPU) {
                let (mixed, obstacles) = try self.plan(input, blitRange: .derived, executor: .cpu, isMixed: true)
                if obstacles.isEmpty && mixed.isMixed { plans.append(mixed) }
            }
        }
        if input.capabilities.executors.contains(.gl) {
            let readsFramesQuickly = input.capabilities.renderer.readsFramesQuickly
            plans.append(try plan(input, blitRange: readsFramesQuickly ? .derived : .untouched).plan)
            if plans.last?.blitsLayers == true {
                for range in readsFramesQuickly ? [BlitRange.untouched, .nothing] : [.nothing] {
                    plans.append(try plan(input, blitRange: range).plan)
                }
            }
        }
        guard var cheapest = plans.first else { return RenderPlan() }
        let weights = input.capabilities.workWeights
        for plan in plans.dropFirst() where plan.time(by: weights) < cheapest.time(by: weights) { cheapest = plan }
        return cheapest
    }

    /// Plans a graph as it is, for one executor, and returns the names of the shaders that the executor cannot draw.
    ///
    /// - Parameters:
    ///   - input: The graph as it is drawn, with the formats and the machine's capabilities.
    ///   - blitRange: The layers that the CPU may write instead of drawing them.
    ///   - executor: The executor that draws.
    ///   - isMixed: True when OpenGL ES may draw pictures in a plan of the CPU.
    /// - Returns: The plan, and the shaders that the executor cannot draw.
    /// - Throws: ``GraphError`` when a picture is empty, too large to draw, or cannot be measured.
    private static func plan(
        _ input: PlanInput, blitRange: BlitRange, executor: Executor = .gl, isMixed: Bool = false
    ) throws(GraphError) -> (plan: RenderPlan, obstacles: Set<String>) {
        var input = input
        let capabilities = input.capabilities
        if executor == .cpu { input.capabilities = input.capabilities.ofRows }
        let recorder = StepRecorder(input, executor: executor, mixed: isMixed ? MixedPlan(capabilities) : nil)
        var builder = OutputBuilder(CompositionBuilder(recorder, blitRange: blitRange))
        var wanted: [RequestedOutput] = []
        for sink in input.graph.sinks {
            guard let request = input.sinks[sink], let root = input.graph.inputs(of: sink).first else { continue }
            if let index = wanted.firstIndex(where: { $0.root == root && $0.request == request }) {
                wanted[index].sinks.append(sink)
            } else {
                wanted.append(RequestedOutput(root: root, request: request, sinks: [sink]))
            }
        }
        for requested in wanted { try builder.add(requested, among: wanted) }
        return builder.result
    }
}
