internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The Poisson blend, which takes many passes.
extension ChainBuilder {
    /// Lets the picture take over an overlay's gradients, step by step; the last step is left for the pass that draws
    /// what follows.
    ///
    /// The second one of the step's other pictures is the mask, where there is one. `over` is the overlay.
    mutating func poisson(
        _ step: BlendStep, over: SecondPicture?, turned: Orientation, in plan: inout PlanBuilder
    ) throws(GraphError) {
        guard let over else { return }
        let (mode, label) = (step.mode, step.mode.label)
        let mask = step.others.dropFirst().first
        let detail = try detail(of: over, mask: mask, mode, turned: turned, label, in: &plan)
        for iteration in 1...max(mode.iterations, 1) {
            let own = SecondPicture(image: segment.image, place: segment.place, isSameSize: true)
            segment.head = .neighbourhood(BlendMode.Poisson.mean)
            segment.append(.combine(BlendMode.Poisson.step, .identity, [detail, own]))
            noteChange("\(label) \(iteration)")
            isWide = true
            if iteration < mode.iterations { try materialize(turned: turned, isClamped: true, in: &plan) }
        }
    }

    /// The overlay's difference from its surroundings, pixel by pixel.
    private func detail(
        of over: SecondPicture, mask: SecondPicture?, _ mode: BlendMode, turned: Orientation, _ label: String,
        in plan: inout PlanBuilder
    ) throws(GraphError) -> SecondPicture {
        var branch = self
        branch.isWide = false
        branch.segment = Segment(over.image, place: over.place)
        if !over.isSameSize { try branch.materialize(turned: turned, isClamped: true, in: &plan) }
        branch.segment.head = .neighbourhood(BlendMode.Poisson.detail(mode))
        if let mask { branch.segment.append(.combine(BlendMode.Poisson.masked(mode), .identity, [mask])) }
        branch.noteChange("detail for \(label)")
        branch.isWide = true
        try branch.materialize(turned: turned, isClamped: true, in: &plan)
        return SecondPicture(image: branch.segment.image, place: branch.segment.place, isSameSize: true)
    }
}
