internal import PipEffects
public import PipFrames
public import PipGraph

extension Graph {
    /// The graph without the effects that a quality leaves out: what follows them takes frames from what they took them from.
    public func reduced(to quality: EffectQuality) -> Graph {
        guard quality < .reduced else { return self }
        var result = self
        for id in order {
            guard case .filter(let filter)? = self[id], !filter.isEssential else { continue }
            let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
            let operations = filter.effect.operation(in: context).flattened
            if type(of: filter.effect).isStructural || operations.contains(where: \.isStructural) { continue }
            if quality == .cheap && operations.allSatisfy(\.isOfOnePixel) { continue }
            result.bypass(id)
        }
        return result
    }
}

extension EffectOperation {
    /// Whether without it pixels would be seen that should not be, or elsewhere.
    fileprivate var isStructural: Bool {
        switch self {
        case .orientation, .crop: true
        default: changesAlpha
        }
    }

    /// Whether it is a function of a pixel, which shares a pass with others.
    fileprivate var isOfOnePixel: Bool {
        switch self {
        case .none, .affine, .curve, .pixel: true
        default: false
        }
    }

    /// The same blur drawn with a part of the pixels; nil where that is no gain.
    ///
    /// What a picture loses on the way to a part of its size and back counts as a blur, too.
    var ofReducedSize: EffectOperation? {
        let (factor, blur): (Int, EffectOperation)
        switch self {
        case .gaussian(let deviation) where deviation >= 2:
            factor = deviation >= 6 ? 4 : 2
            let square = Double(factor * factor)
            // The variances of a mean of so many pixels, and of the tent that interpolates between the means.
            let rest = deviation * deviation - (square - 1) / 12 - square / 6
            blur = .gaussian((max(rest, 0.25) / square).squareRoot())
        case .separable(let weights) where weights.count > 6:
            factor = 2
            blur = .separable(GaussianKernel.folded(weights))
        default: return nil
        }
        return .combine(with: [.shrink(factor), blur], ShaderCall(LibraryShader.other))
    }
}
