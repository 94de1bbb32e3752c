internal import PipEffects
internal import PipFrames
internal import PipGraph

/// One operation of a layer's chain.
struct ChainStep {
    /// The effect's name.
    var label: String
    var operation: EffectOperation
    /// What turns the picture from here on: what is drawn here is drawn before it.
    var turned: Orientation
    /// The filter that it belongs to.
    var node: NodeID
    /// The blend that it is.
    var blend: BlendStep?
    /// By how much a small difference in its result grows until the chain's end.
    var growth = 1.0
    /// How Y'CbCr planes are kept when it is applied to them as they are, where they lie on the canvas's grid of chroma; nil when it is not.
    var planes: PlanePrecision?

    /// Another operation at the same place.
    func with(_ operation: EffectOperation) -> ChainStep {
        var step = self
        step.operation = operation
        return step
    }
}

extension LayerPlan {
    /// The chain's operations, those that do nothing left out and sequences taken apart.
    var steps: [ChainStep] {
        let context = EffectContext(matrix: image.colorimetry.matrix, scale: scale, size: pictureSize)
        var turned = record.placement.orientation
        var steps: [ChainStep] = []
        var growth = record.blend == nil ? 1.0 : .infinity
        for (effect, node) in zip(effects, nodes).reversed() {
            var context = context
            context.size = turned.size(of: pictureSize)
            // A turn does not depend on the size, so that this is the effect's own picture, before it turns.
            let operations = effect.operation(in: context).flattened
            for operation in operations.reversed() {
                if case .orientation(let orientation) = operation { turned = orientation.then(turned) }
                let blend = effect as? BlendStep
                let label = blend.map { "\($0.mode.kind.rawValue) blend" } ?? type(of: effect).name
                steps.append(
                    ChainStep(
                        label: label, operation: operation, turned: turned, node: node, blend: blend, growth: growth))
                growth *= operation.steepness
            }
        }
        if record.look.sampling == .lanczos, let own = ownSize(turned: turned), own != turned.size(of: rect.size) {
            steps.append(
                ChainStep(
                    label: "lanczos", operation: .lanczos, turned: turned, node: record.input, blend: nil,
                    growth: growth))
        }
        return steps.reversed()
    }

    /// The size of the part of the picture that shows, in its own pixels, before what turns it.
    func ownSize(turned: Orientation) -> PixelSize? {
        let part = visible.mapped(by: Mapping(turned))
        let whole = orientation.size(of: crop.size)
        let size = PixelSize(
            Int((Double(whole.width) * part.width).rounded()), Int((Double(whole.height) * part.height).rounded()))
        return size.area > 0 ? size : nil
    }

    /// The size at which the whole picture would be drawn, in its final orientation.
    var pictureSize: PixelSize {
        PixelSize(
            max(1, Int((Double(rect.width) / max(visible.width, 1e-9)).rounded())),
            max(1, Int((Double(rect.height) / max(visible.height, 1e-9)).rounded())))
    }
}

extension EffectOperation {
    /// The operations that it stands for, one after the other.
    var flattened: [EffectOperation] {
        switch self {
        case .none: []
        case .sequence(let operations): operations.flatMap(\.flattened)
        case .separable(let weights) where weights.count <= 1: []
        default: [self]
        }
    }

    /// Textures that it reads beside its image, at most.
    var samplerCount: Int {
        switch self {
        case .curve: 1
        case .pixel(let call), .neighbourhood(let call), .warp(let call), .sampler(let call): call.textures.count
        case .temporal(let call), .tabulated(_, _, let call): call.textures.count + 1
        case .combine(_, let others, let call): call.textures.count + (others == nil ? 1 : 2)
        default: 0
        }
    }

    /// Whether it reads other pixels than its own: then it reads a picture of 8 bits.
    var readsNeighbours: Bool {
        switch self {
        case .neighbourhood, .separable, .gaussian, .kernel, .warp, .sampler, .shrink, .mean, .tabulated, .table,
            .lanczos:
            true
        case .combine(let operations, _, _): !operations.isEmpty
        case .none, .affine, .curve, .pixel, .orientation, .temporal, .crop: false
        case .sequence(let operations): operations.first?.readsNeighbours ?? false
        }
    }

    /// Whether it can read a source's frame itself, in its own values.
    var readsSource: Bool {
        switch self {
        case .combine(let operations, let others, _):
            [operations, others].allSatisfy { $0?.flatMap(\.flattened).first?.isReduction ?? true }
        default: isReduction || !readsNeighbours
        }
    }

    /// The weights of a symmetric kernel in both directions, the centre's first.
    var kernel: [Double] {
        switch self {
        case .separable(let weights): weights
        case .gaussian(let deviation): GaussianKernel.weights(deviation: deviation)
        default: [1]
        }
    }

    /// Whether it keeps something from frame to frame.
    var remembers: Bool {
        switch self {
        case .temporal: true
        case .sequence(let operations): operations.contains(where: \.remembers)
        case .combine(let operations, let others, _): (operations + (others ?? [])).contains(where: \.remembers)
        default: false
        }
    }

    /// Whether it only makes the picture smaller.
    var isReduction: Bool {
        switch self {
        case .shrink, .mean: true
        default: false
        }
    }
}
