internal import PipEffects
package import PipFrames
package import PipGraph

extension Graph {
    /// The graph without the effects that a reduced quality leaves out.
    ///
    /// The nodes that consume a left-out effect read the effect's input instead.
    package func reduced(to quality: EffectQuality) -> Graph {
        guard quality < .reduced else { return self }
        var result = self
        for id in order {
            guard case .filter(let filter)? = self[id], !filter.isEssential else { continue }
            let traits = filter.effect.traits
            if traits.isStructural || (quality == .cheap && traits.isPointwise) { continue }
            result.bypass(id)
        }
        return result
    }
}

extension SymmetricFilter {
    /// The filter's blur, applied to a reduced picture; nil where the reduction saves nothing.
    ///
    /// Reducing and enlarging the picture blur it, too, so the remaining blur of a Gaussian is smaller.
    var ofReducedSize: EffectOperation? {
        let (factor, blur): (Int, EffectOperation)
        switch self {
        case .gaussian(let deviation) where deviation >= 2:
            factor = deviation >= 6 ? 4 : 2
            let square = Double(factor * factor)
            // The box filter that reduces and the tent filter that enlarges blur the picture by these variances.
            let rest = deviation * deviation - (square - 1) / 12 - square / 6
            blur = .gaussian((max(rest, 0.25) / square).squareRoot())
        case .kernel(let weights) where weights.count > 6:
            factor = 2
            blur = .separable(GaussianKernel.folded(weights))
        default: return nil
        }
        return .combine(with: [.shrink(factor), blur], ShaderCall(LibraryShader.other))
    }
}
