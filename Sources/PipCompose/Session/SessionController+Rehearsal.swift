extension SessionController {
    /// Makes everything ready once that there may be to draw without one of the cameras.
    ///
    /// Compiling takes longer than a frame may: what shows when a camera is lost has to be compiled before that.
    func rehearse(_ graph: Graph, in loop: RenderLoop) async {
        var plans: Set<RenderPlan> = []
        for feed in feeds.values {
            guard case .camera = feed.inlet else { continue }
            for presence in [Presence.gone, .none] {
                // What cannot be drawn is reported when it comes to that.
                if let plan = try? plan(graph, where: [feed.id: presence]) { plans.insert(plan) }
            }
        }
        for plan in plans { try? await makeReady(plan, in: loop) }
    }
}
