internal import PipFrames
internal import PipGraph

extension ChainBuilder {
    /// Makes the picture as large as it is seen: drawn at its own size first, then across, then down in the pass that
    /// draws what follows.
    mutating func resample(_ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        guard let own = layer.ownSize(turned: step.turned) else { return }
        let wanted = size(turned: step.turned)
        reducedSize = own
        try materialize(turned: step.turned, isClamped: true, in: &plan)
        if own.width != wanted.width {
            segment.head = .lanczos(Double(own.width) / Double(wanted.width), isVertical: false)
            noteChange("\(step.label) across")
            reducedSize = PixelSize(wanted.width, own.height)
            try materialize(turned: step.turned, isClamped: true, in: &plan)
        }
        reducedSize = nil
        if own.height != wanted.height {
            segment.head = .lanczos(Double(own.height) / Double(wanted.height), isVertical: true)
            noteChange("\(step.label) down")
        }
    }
}
