internal import PipEffects
internal import PipFrames
internal import PipGraph

/// One operation of a layer's chain.
struct ChainStep {
    /// The name of its effect or blend.
    var label: String
    var operation: EffectOperation
    /// What turns the picture from here on: what is drawn here is drawn before it.
    var turned: Orientation
    /// The filter that it belongs to.
    var node: NodeID
    /// The link's mode and other pictures, where it is a blend.
    var blend: (mode: BlendMode, nodes: [NodeID])?
    /// The factor by which a small difference in its result grows until the chain's end.
    var growth = 1.0
    /// The precision of Y'CbCr planes when it is applied to them as they are, where they lie on the canvas's grid of
    /// chroma; nil when it is not.
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
        for link in links.reversed() {
            var context = context
            context.size = turned.size(of: pictureSize)
            // A turn does not depend on the size, so that this is the effect's own picture, before it turns.
            let operations = link.operation(in: context).flattened
            for operation in operations.reversed() {
                let traits = operation.traits
                if case .turned(let orientation) = traits.framing { turned = orientation.then(turned) }
                var step = ChainStep(
                    label: link.label, operation: operation, turned: turned, node: link.node, growth: growth)
                if case .blend(let mode, _) = link.kind { step.blend = (mode, link.blendedNodes) }
                steps.append(step)
                growth *= traits.growth.limit
            }
        }
        if record.look.sampling == .lanczos, let own = ownSize(turned: turned), own != turned.size(of: rect.size) {
            steps.append(
                ChainStep(label: "lanczos", operation: .lanczos, turned: turned, node: record.input, growth: growth))
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
