internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The blend that takes many passes.
extension ChainBuilder {
    /// Lets the picture take over an overlay's gradients, step by step; the last step is left for the pass that draws what follows.
    ///
    /// `others`: The overlay, and a mask where there is one.
    mutating func poisson(
        _ mode: BlendMode, _ others: [SecondPicture], turned: Orientation, label: String, in plan: inout PlanBuilder
    ) throws(GraphError) {
        guard let over = others.first else { return }
        let detail = try detail(of: over, mask: others.dropFirst().first, mode, turned: turned, label, in: &plan)
        for iteration in 1...max(mode.iterations, 1) {
            let own = SecondPicture(image: segment.image, place: segment.place, isSameSize: true)
            segment.head = .neighbourhood(BlendMode.Poisson.mean)
            segment.append(.combine(BlendMode.Poisson.step, .identity, [detail, own]))
            noteChange("\(label) \(iteration)")
            isWide = true
            if iteration < mode.iterations { try materialize(turned: turned, isClamped: true, in: &plan) }
        }
    }

    /// What an overlay has more than its surroundings, pixel by pixel.
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
