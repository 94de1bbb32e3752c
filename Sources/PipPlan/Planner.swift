internal import PipEffects
internal import PipFrames
package import PipGraph

/// Turns a graph into a plan: what to upload, draw and read back, in which size and format.
///
/// A pure function: it needs no GPU, and equal inputs give equal plans. Thread-safe.
package enum Planner {
    /// Plans a graph.
    ///
    /// - Throws: ``GraphError`` when the graph is not complete, runs in a circle, or is too large to draw.
    package static func plan(_ input: PlanInput) throws(GraphError) -> RenderPlan {
        try input.graph.validate(needsSinks: false)
        var input = input
        let drawn = input.graph.reduced(to: input.effectQuality).drawn(at: input.time)
        input.graph = drawn.graph
        var plan = try cheapestPlan(input)
        plan.validUntil = drawn.until
        return plan
    }

    /// The plan with the least predicted time, among those that draw the same picture.
    private static func cheapestPlan(_ input: PlanInput) throws(GraphError) -> RenderPlan {
        let weights = input.capabilities.workWeights
        let readsFramesQuickly = input.capabilities.renderer.readsFramesQuickly
        var cheapest = try plan(input, blitRange: readsFramesQuickly ? .derived : .untouched)
        guard cheapest.blitsLayers else { return cheapest }
        for range in readsFramesQuickly ? [BlitRange.untouched, .nothing] : [.nothing] {
            let plan = try plan(input, blitRange: range)
            if plan.time(by: weights) < cheapest.time(by: weights) { cheapest = plan }
        }
        return cheapest
    }

    /// Plans a graph that is drawn as it is.
    private static func plan(_ input: PlanInput, blitRange: BlitRange) throws(GraphError) -> RenderPlan {
        var builder = PlanBuilder(input, blitRange: blitRange)
        builder.plan.stills = Set(input.sources.filter(\.value.isStill).keys)
        var wanted: [OutputWish] = []
        for sink in input.graph.sinks {
            guard let request = input.sinks[sink], let root = input.graph.inputs(of: sink).first else { continue }
            if let index = wanted.firstIndex(where: { $0.root == root && $0.request == request }) {
                wanted[index].sinks.append(sink)
            } else {
                wanted.append(OutputWish(root: root, request: request, sinks: [sink]))
            }
        }
        for wish in wanted { try builder.addOutput(wish, among: wanted) }
        builder.plan.shareUploads(of: input.sources, input.capabilities)
        return builder.plan
    }
}
