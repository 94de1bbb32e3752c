internal import PipEffects
internal import PipFrames
internal import PipGraph

/// One operation of a layer's chain, with its context.
struct ChainStep {
    /// The name of the effect, blend, measurement or resampling, for labels of passes.
    var label: String
    var operation: EffectOperation
    /// The combined rotation of this and the later steps, and of the layer's placement.
    ///
    /// The step reads its picture before that rotation.
    var turned: Orientation
    /// The node of the filter, blend or measurement that the step belongs to; for the Lanczos filter, the layer's
    /// input.
    var node: NodeID
    /// The mode and the other pictures of a blend; nil for any other step.
    var blend: (mode: BlendMode, nodes: [NodeID])?
    /// The largest factor by which the later steps may amplify a small error in this step's result.
    ///
    /// Infinite when there is no known bound.
    var growth = 1.0
    /// The working precision if this step may run directly on Y'CbCr planes on the canvas's chroma grid.
    ///
    /// Nil when the step must run on R'G'B'.
    var planes: PlaneFilter.Precision?

    /// A copy of the step with another operation.
    func with(_ operation: EffectOperation) -> ChainStep {
        var step = self
        step.operation = operation
        return step
    }
}

extension LayerPlan {
    /// The chain's operations, without sequences and `none`.
    ///
    /// The Lanczos filter comes first if it scales the layer.
    var steps: [ChainStep] {
        let context = EffectContext(matrix: image.colorimetry.matrix, scale: scale, size: pictureSize)
        var turned = record.placement.orientation
        var steps: [ChainStep] = []
        var growth = record.blend == nil ? 1.0 : .infinity
        for link in links.reversed() {
            var context = context
            context.size = turned.size(of: pictureSize)
            // The context has the picture's size before the later rotations. A rotating effect does not depend on the
            // size.
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

    /// The size of the picture's visible part before the rotation `turned`, in the picture's own pixels; nil for an
    /// empty part.
    func ownSize(turned: Orientation) -> PixelSize? {
        let part = visible.mapped(by: Mapping(turned))
        let whole = orientation.size(of: crop.size)
        let size = PixelSize(
            Int((Double(whole.width) * part.width).rounded()), Int((Double(whole.height) * part.height).rounded()))
        return size.area > 0 ? size : nil
    }

    /// The size at which the whole picture would be drawn in its final orientation.
    var pictureSize: PixelSize {
        PixelSize(
            max(1, Int((Double(rect.width) / max(visible.width, 1e-9)).rounded())),
            max(1, Int((Double(rect.height) / max(visible.height, 1e-9)).rounded())))
    }
}

/// Filters that are applied to Y'CbCr planes directly, without a conversion to R'G'B'.
extension LayerPlan {
    /// True when the image's planes can be filtered at the layer's size.
    ///
    /// The image is opaque Y'CbCr, and the layer's left and upper edges divide no chroma sample.
    var canBeFilteredInPlanes: Bool {
        image.format.isYUV && image.alpha == .none && rect.x % 2 == 0 && rect.y % 2 == 0
    }

    /// True when a chain's effects only displace pixels, and may do so in Y'CbCr planes of the layer's size, each plane
    /// at its own size.
    ///
    /// The canvas is 4:2:0, or is converted to that in the end, and has the image's colours. The recorder's executor
    /// knows all warps. Planes of a single column or row are left out.
    func canBeWarped(by steps: [ChainStep], inPlanesOf canvas: Canvas, _ recorder: StepRecorder) -> Bool {
        let toCanvas = image.colorimetry.rgbFromYCbCr.then(canvas.colorimetry.yCbCrFromRGB)
        let isDrawable = steps.allSatisfy { step in
            guard case .warp(let call) = step.operation else { return false }
            return recorder.executor == .gl || recorder.input.capabilities.rows.knows(call)
        }
        return canvas.isSubsampled && toCanvas.isIdentity && canBeFilteredInPlanes && base == nil
            && record.blend == nil && rect.width > 2 && rect.height > 2 && !steps.isEmpty && isDrawable
    }

    /// The chain's operations, with the filter that may run on Y'CbCr planes marked in ``ChainStep/planes``.
    ///
    /// A filter is not marked where the following steps would reveal the planes' rounding.
    ///
    /// Filters and affine effects commute, since a filter treats R'G'B' and Y'CbCr alike. A chain with several filters
    /// is not marked: at the edges, the second filter would reveal that chroma has larger samples.
    ///
    /// `colorimetry`: The colorimetry of the canvas.
    func steps(onto colorimetry: Colorimetry) -> [ChainStep] {
        var steps = steps
        guard canBeFilteredInPlanes, steps.count(where: { $0.filter != nil }) == 1 else { return steps }
        var transform = image.colorimetry.rgbFromYCbCr
        for index in steps.indices {
            let traits = steps[index].operation.traits
            if case .turned = traits.framing { return steps }
            switch traits.planeForm {
            case .identity: continue
            case .affine(let next): transform = transform.then(next)
            case .filter(let filter):
                let growth = steps[index].growth * transform.then(image.colorimetry.yCbCrFromRGB).largestGrowth
                let rest = steps[index...].dropFirst().map(\.operation)
                let isApart = rest.keepLumaAndChromaApart(after: transform, onto: colorimetry)
                guard filter.fitsPlanes, growth <= PlaneFilter.Precision.largestGrowth, isApart || filter.isWide else {
                    return steps
                }
                steps[index].planes = growth <= PlaneFilter.Precision.largestGrowthOfRounded ? .rounded : .exact
            case nil: return steps
            }
        }
        return steps
    }
}

extension [EffectOperation] {
    /// True when the operations, with the colour conversions before and after, compute luma from luma and chroma from
    /// chroma.
    fileprivate func keepLumaAndChromaApart(after transform: ColorTransform, onto colorimetry: Colorimetry) -> Bool {
        var transform = transform
        for operation in self {
            guard case .affine(let next) = operation.traits.planeForm else { return false }
            transform = transform.then(next)
        }
        return transform.then(colorimetry.yCbCrFromRGB).keepsLumaAndChromaApart
    }
}

extension ChainStep {
    /// The step's filter, if the step filters all planes alike; nil for any other step.
    var filter: SymmetricFilter? {
        guard case .filter(let filter) = operation.traits.planeForm else { return nil }
        return filter
    }
}

extension SymmetricFilter {
    /// True when a pass can hold the kernel's weights.
    ///
    /// A Gaussian with too many weights is applied at a reduced size.
    fileprivate var fitsPlanes: Bool {
        switch self {
        case .gaussian: true
        case .kernel(let weights): weights.count <= 64
        }
    }

    /// True when the filter leaves so little detail that filtered chroma can be interpolated between its samples.
    fileprivate var isWide: Bool {
        let variance = weights.enumerated().reduce(0.0) { $0 + 2 * Double($1.offset * $1.offset) * $1.element }
        return variance >= 1
    }
}
