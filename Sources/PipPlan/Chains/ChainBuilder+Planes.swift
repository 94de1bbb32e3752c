internal import PipEffects
internal import PipFrames
internal import PipGraph

extension ChainBuilder {
    /// True when a step's filter is applied to the Y'CbCr planes of the layer's image.
    func filtersPlanes(_ step: ChainStep) -> Bool { filtersPlanes && usesChromaGrid && step.planes != nil }

    /// Filters the planes of the layer's image, before the chain's earlier changes of pixels.
    ///
    /// The caller must first check that ``filtersPlanes(_:)`` is true for the step.
    mutating func filterPlanes(
        by filter: SymmetricFilter, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        let isDirect = (isFiltered || hasPlanesOfCanvas) && !segment.image.hasHalfLuma
        var (image, place) = isDirect ? (segment.image, segment.place) : try planes(in: &plan)
        let texel = isDirect && step.planes == .rounded ? .rgba8 : plan.input.capabilities.exactTexel
        image = try PlaneFilter(image: image, label: step.label, texel: texel).applying(filter, in: &plan)
        segment.read(image, at: place)
        isFiltered = true
        recordChange(step.label)
    }

    /// True when the layer's image consists of packed 4:2:0 planes of the layer's size.
    private var hasPlanesOfCanvas: Bool {
        let image = segment.image
        let isWhole =
            layer.rect.size == image.size && layer.crop == image.size.bounds && layer.visible == UnitRect()
        let isOnGrid =
            image.format.chromaSubsampling == (2, 2)
            && image.colorimetry.chromaSiting == canvas.colorimetry.chromaSiting
        return isWhole && isOnGrid && image.isPacked && image.format.planeCount > 1
    }

    /// Draws the layer's image as packed 4:2:0 planes of the layer's size.
    ///
    /// - Returns: The planes, and the map from positions in the chain to the planes' samples.
    private mutating func planes(in plan: inout PlanBuilder) throws(GraphError) -> (Image, Mapping) {
        let image = segment.image
        var colorimetry = image.colorimetry
        colorimetry.chromaSiting = canvas.colorimetry.chromaSiting
        let region = layer.rect
        let label = "picture of \(image.label)"
        let target = try plan.addTextures(
            to: Canvas(
                size: PixelSize(region.maxX, region.maxY), format: .nv12, colorimetry: colorimetry, region: region,
                isPacked: true, isSubsampled: true),
            label: label, texel: plan.input.capabilities.exactTexel)
        let positions = Mapping.translation(-Double(region.x), -Double(region.y))
            .then(layer.visible.fromPixels(of: region.size))
        for part in target.parts.indices {
            let contents = PassContents(
                segment: Segment(image, place: segment.place), positions: positions, canvas: target, part: part,
                usesChromaGrid: true)
            try plan.draw(contents, label: "\(part == 0 ? "luma" : "chroma") of \(label)", rects: [region])
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
