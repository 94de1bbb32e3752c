internal import PipEffects
internal import PipFrames
internal import PipGraph

extension Graph {
    /// The names of the effects that mix each frame with those before it.
    var temporalEffects: [String] {
        // Whether one does is not a matter of the picture.
        let context = EffectContext(matrix: .bt709, scale: 1, size: PixelSize(640, 360))
        return order.compactMap { id in
            guard case .filter(let filter)? = self[id], !filter.isMuted,
                filter.effect.operation(in: context).flattened.contains(where: \.traits.keepsHistory)
            else { return nil }
            return filter.effect.title
        }
    }
}
