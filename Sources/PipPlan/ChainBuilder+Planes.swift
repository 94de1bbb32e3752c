internal import PipFrames
internal import PipGraph
internal import PipShaders

/// Blurs and other kernels that are applied to Y'CbCr planes as they are: they change nothing in how R'G'B' follows from Y'CbCr.
extension ChainBuilder {
    /// Whether an operation treats planes alike, and they lie on the canvas's grid of chroma.
    func filtersPlanes(_ operation: EffectOperation) -> Bool {
        guard usesChromaGrid, layer.canBeFilteredInPlanes else { return false }
        switch operation {
        case .gaussian: return true
        case .separable(let weights): return weights.count <= 64
        default: return false
        }
    }

    /// Whether the segment is the layer's image in R'G'B', and nothing else was done to it.
    var isConversion: Bool {
        guard case .image = segment.head, reducedSize == nil else { return false }
        return segment.operations == [.matrix(layer.image.colorimetry.rgbFromYCbCr)]
    }

    /// Applies a step for which ``filtersPlanes(_:)`` to the planes of the layer's image.
    mutating func filterPlanes(_ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        var (image, place) = try planes(in: &plan)
        switch step.operation {
        case .gaussian(let deviation): image = try plan.blurred(image, deviation: deviation, label: step.label)
        case .separable(let weights): image = try plan.filtered(image, weights, label: step.label)
        default: return
        }
        segment = Segment(image, place: place)
        segment.append(.matrix(image.colorimetry.rgbFromYCbCr))
        noteChange(step.label)
    }

    /// The layer's image in packed 4:2:0 planes of the layer's size, and the map from positions in the chain to its samples.
    private mutating func planes(in plan: inout PlanBuilder) throws(GraphError) -> (Image, Mapping) {
        let image = segment.image
        let isWhole =
            layer.rect.size == image.size && layer.crop == image.size.bounds && layer.visible == UnitRect()
        let isOnGrid =
            image.format.chromaSubsampling == (2, 2)
            && image.colorimetry.chromaSiting == canvas.colorimetry.chromaSiting
        if isWhole && isOnGrid && image.isPacked && image.format.planeCount > 1 { return (image, segment.place) }
        var colorimetry = image.colorimetry
        colorimetry.chromaSiting = canvas.colorimetry.chromaSiting
        let region = layer.rect
        let label = "picture of \(image.label)"
        var target = try plan.addCanvas(
            label, size: region.size, format: .nv12, colorimetry: colorimetry, region: region, isPacked: true,
            isSubsampled: true)
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
    /// Whether its image's planes can be filtered at the layer's size: Y'CbCr, and no chroma sample lies across the layer's edge.
    var canBeFilteredInPlanes: Bool {
        image.format.isYUV && image.alpha == .none && rect.x % 2 == 0 && rect.y % 2 == 0
    }
}
