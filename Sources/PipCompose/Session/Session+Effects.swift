internal import PipEffects
internal import PipFrames
internal import PipGraph

extension Session {
    /// The names of the effects that mix each frame with those before it, so that a frame depends on where the output
    /// began.
    public var temporalEffects: [String] {
        // Whether one does is not a matter of the picture.
        let context = EffectContext(matrix: .bt709, scale: 1, size: PixelSize(640, 360))
        let graph = graph
        return graph.order.compactMap { id in
            guard case .filter(let filter)? = graph[id], !filter.isMuted,
                filter.effect.operation(in: context).flattened.contains(where: \.traits.keepsHistory)
            else { return nil }
            return filter.effect.title
        }
    }
}
