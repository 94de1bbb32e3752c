internal import PipEffects
internal import PipFrames
internal import PipGraph

extension Graph {
    /// The titles of the effects that mix each frame with earlier frames.
    var temporalEffects: [String] {
        // Any context will do: whether an effect keeps history does not depend on the picture.
        let context = EffectContext(matrix: .bt709, scale: 1, size: PixelSize(640, 360))
        return order.compactMap { id in
            guard case .filter(let filter)? = self[id], !filter.isMuted,
                filter.effect.operation(in: context).flattened.contains(where: \.traits.keepsHistory)
            else { return nil }
            return filter.effect.title
        }
    }
}
