internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Blurs and other kernels that are applied to Y'CbCr planes as they are: they change nothing in how R'G'B' follows
/// from Y'CbCr.
extension LayerPlan {
    /// The chain's operations, with a note whether the chain's filter treats all planes alike, unless what follows
    /// would show how these are rounded.
    ///
    /// Filters change nothing in how R'G'B' follows from Y'CbCr, nor do affine effects in what filters do: so they may
    /// come before. A second filter would see at the edges that chroma has larger samples.
    ///
    /// `colorimetry`: Of the canvas.
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
                guard filter.fitsPlanes, growth <= PlanePrecision.largestGrowth, isApart || filter.isWide else {
                    return steps
                }
                steps[index].planes = growth <= PlanePrecision.largestGrowthOfRounded ? .rounded : .exact
            case nil: return steps
            }
        }
        return steps
    }
}

extension [EffectOperation] {
    /// Whether they and the conversions around them take neither luma to chroma nor chroma to luma.
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
    /// The kernel that it applies to all planes alike; nil for any other step.
    var filter: SymmetricFilter? {
        guard case .filter(let filter) = operation.traits.planeForm else { return nil }
        return filter
    }
}

extension SymmetricFilter {
    /// Whether a pass can hold its weights: a Gaussian is applied at a part of the size where it has too many.
    fileprivate var fitsPlanes: Bool {
        switch self {
        case .gaussian: true
        case .kernel(let weights): weights.count <= 64
        }
    }

    /// Whether so little detail is left between chroma samples that they can be interpolated.
    fileprivate var isWide: Bool {
        let variance = weights.enumerated().reduce(0.0) { $0 + 2 * Double($1.offset * $1.offset) * $1.element }
        return variance >= 1
    }
}

/// How planes are kept while they are filtered.
enum PlanePrecision {
    /// In eight bits: what follows must not make their errors larger.
    case rounded
    /// As floating-point numbers.
    case exact

    static let largestGrowthOfRounded = 1.05
    static let largestGrowth = 4.0
}

extension ChainBuilder {
    /// Whether a step is applied to the planes of the layer's image.
    func filtersPlanes(_ step: ChainStep) -> Bool { usesChromaGrid && step.planes != nil }

    /// Applies a step for which ``filtersPlanes(_:)`` to the planes of the layer's image: before what was done to its
    /// pixels so far.
    mutating func filterPlanes(
        by filter: SymmetricFilter, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        let isDirect = (isFiltered || hasPlanesOfCanvas) && !segment.image.hasHalfLuma
        var (image, place) = isDirect ? (segment.image, segment.place) : try planes(in: &plan)
        let texel = isDirect && step.planes == .rounded ? .rgba8 : plan.exactTexel
        switch filter {
        case .gaussian(let deviation):
            image = try plan.blurred(image, deviation: deviation, label: step.label, texel: texel)
        case .kernel(let weights): image = try plan.filtered(image, weights, label: step.label, texel: texel)
        }
        segment.read(image, at: place)
        isFiltered = true
        noteChange(step.label)
    }

    /// Whether the layer's image is packed 4:2:0 planes of the layer's size already.
    private var hasPlanesOfCanvas: Bool {
        let image = segment.image
        let isWhole =
            layer.rect.size == image.size && layer.crop == image.size.bounds && layer.visible == UnitRect()
        let isOnGrid =
            image.format.chromaSubsampling == (2, 2)
            && image.colorimetry.chromaSiting == canvas.colorimetry.chromaSiting
        return isWhole && isOnGrid && image.isPacked && image.format.planeCount > 1
    }

    /// The layer's image in packed 4:2:0 planes of the layer's size, and the map from positions in the chain to its
    /// samples.
    private mutating func planes(in plan: inout PlanBuilder) throws(GraphError) -> (Image, Mapping) {
        let image = segment.image
        var colorimetry = image.colorimetry
        colorimetry.chromaSiting = canvas.colorimetry.chromaSiting
        let region = layer.rect
        let label = "picture of \(image.label)"
        var target = try plan.addCanvas(
            label, size: region.size, format: .nv12, colorimetry: colorimetry, region: region, isPacked: true,
            isSubsampled: true, texel: plan.exactTexel)
        target.size = PixelSize(region.maxX, region.maxY)
        let positions = Mapping.translation(-Double(region.x), -Double(region.y))
            .then(layer.visible.fromPixels(of: region.size))
        for part in target.parts.indices {
            let builder = PassBuilder(
                segment: Segment(image, place: segment.place), positions: positions, canvas: target, part: part,
                cover: nil, usesChromaGrid: true)
            try plan.draw(builder, label: "\(part == 0 ? "luma" : "chroma") of \(label)", rects: [region])
        }
        let drawn = Image(
            size: region.size, format: .nv12, textures: target.textures, isPacked: true, colorimetry: colorimetry,
            alpha: .none, sources: image.sources, label: image.label)
        let visible = layer.visible
        let place = Mapping.translation(-visible.x, -visible.y)
            .then(.scale(Double(region.width) / visible.width, Double(region.height) / visible.height))
        return (drawn, place)
    }
}

extension LayerPlan {
    /// Whether its image's planes can be filtered at the layer's size: Y'CbCr, and no chroma sample lies across the
    /// layer's edge.
    var canBeFilteredInPlanes: Bool {
        image.format.isYUV && image.alpha == .none && rect.x % 2 == 0 && rect.y % 2 == 0
    }
}
