internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Plans a layer's chain effect by effect: draws intermediate pictures, and collects the remaining steps in a segment.
struct ChainBuilder {
    let layer: LayerPlan
    let canvas: Canvas
    let usesChromaGrid: Bool
    /// True when the executor can filter Y'CbCr planes without a conversion to R'G'B'.
    let filtersPlanes: Bool
    var segment: Segment
    /// The size of the picture after an operation that has reduced it; nil at full size.
    var reducedSize: PixelSize?
    /// True when the segment reads a drawn picture unchanged, at the picture's own size and with values in 0…1.
    var isPicture = false
    /// True when the segment reads planes that have been filtered.
    var isFiltered = false
    /// True when the segment reads a drawn picture unchanged; values may lie outside 0…1.
    private var isDrawn = false
    /// True when the segment's results must be kept as floating-point numbers.
    var isWide = false

    init(layer: LayerPlan, canvas: Canvas, usesChromaGrid: Bool, executor: Executor) {
        self.layer = layer
        self.canvas = canvas
        self.usesChromaGrid = usesChromaGrid
        filtersPlanes = executor == .gl
        segment = Segment(layer.image, place: layer.place)
        if layer.image.format.isYUV { segment.append(.matrix(layer.image.colorimetry.rgbFromYCbCr)) }
    }

    /// Adds a step: draws it, or leaves it for the pass that draws the following steps.
    mutating func append(_ step: ChainStep, to plan: inout PlanBuilder) throws(GraphError) {
        let traits = step.operation.traits
        if !plan.input.fuses && !traits.resamples && segment.effects.isEmpty
            && segment.image.textures == layer.image.textures
        {
            try materialize(turned: step.turned, isClamped: !traits.readsSource && !filtersPlanes(step), in: &plan)
        }
        if segment.samplerCount + traits.samplerCount > Segment.samplerLimit {
            try materialize(turned: step.turned, isClamped: false, in: &plan)
        }
        if let blend = step.blend {
            return try self.blend(blend.mode, with: blend.nodes, turned: step.turned, in: &plan)
        }
        try draw(step, in: &plan)
        if let mixed = plan.mixed, mixed.needsOwnPicture(segment) {
            try materialize(turned: step.turned, isClamped: !mixed.capabilities.hasFloatTargets, in: &plan)
        }
        switch traits.precision {
        case .ofInput: return
        case .eightBits: isWide = false
        case .float: isWide = true
        }
    }

    /// Adds a step's operation to the segment, or draws it.
    ///
    /// This function alone decides how each kind of operation is drawn.
    private mutating func draw(_ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        switch step.operation {
        // Crops are removed before a chain is planned.
        case .none, .crop: return
        case .affine(let transform): add(.matrix(transform), of: step)
        case .curve(var curve):
            // An unfused plan is the reference for fused ones, so its curves are exact.
            curve.isExact = curve.isExact || !plan.input.fuses || step.mustBeExact
            add(.curve(curve), of: step)
        case .pixel(let call): add(.pixel(call, .identity), of: step)
        case .orientation(let orientation):
            segment.turn(orientation)
            recordChange(step.label)
        // A warp displaces pixels of the visible picture, at its drawn size, not samples of the source.
        case .warp(let call): try read(by: .warp(call, .identity), step, in: &plan)
        case .neighbourhood(let call): try read(by: .neighbourhood(call), step, in: &plan)
        case .sampler(let call): try read(by: .sampler(call, .identity), step, in: &plan)
        case .separable(let weights): try filter(.kernel(weights), step, in: &plan)
        case .gaussian(let deviation): try filter(.gaussian(deviation: deviation), step, in: &plan)
        case .kernel(let weights, let axis): try convolve(weights, axis, step, in: &plan)
        case .combine(let operations, let others, let call):
            try combine(with: [operations] + (others.map { [$0] } ?? []), call, step, in: &plan)
        case .shrink(let factor): try shrink(by: factor, step, in: &plan)
        case .mean: try average(step, in: &plan)
        case .temporal(let call): try remember(call, step, in: &plan)
        case .tabulated(let operations, let tabulation, let call):
            try tabulate(tabulation, of: operations, call, step, in: &plan)
        case .table(let tabulation):
            segment = Segment(try table(tabulation, step, in: &plan), place: .identity)
        case .lanczos: try resample(step, in: &plan)
        case .sequence(let operations):
            for operation in operations.flatMap(\.flattened) { try append(step.with(operation), to: &plan) }
        }
    }

    /// Adds a per-pixel operation to the segment.
    private mutating func add(_ operation: Segment.Operation, of step: ChainStep) {
        segment.append(operation)
        recordChange(step.label)
    }

    /// Sets the head by which the next pass reads the picture.
    private mutating func read(
        by head: Segment.Head, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        try prepareToRead(turned: step.turned, in: &plan)
        segment.head = head
        recordChange(step.label)
    }

    /// Applies a symmetric filter.
    ///
    /// Filters planes where possible, and works at a reduced size where the effect quality is reduced.
    private mutating func filter(
        _ filter: SymmetricFilter, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        if plan.input.fuses && filtersPlanes(step) {
            try filterPlanes(by: filter, step, in: &plan)
        } else if plan.input.effectQuality < .full, reducedSize == nil, let smaller = filter.ofReducedSize {
            try append(step.with(smaller), to: &plan)
        } else {
            try convolve(filter.weights, .across, step, in: &plan)
            try convolve(filter.weights, .down, step, in: &plan)
        }
    }

    /// Records that the segment changes pixels, so that it differs from the picture that it reads.
    mutating func recordChange(_ label: String) {
        segment.effects.append(label)
        isPicture = false
        isDrawn = false
    }

    /// Makes the next pass apply a kernel in one direction.
    private mutating func convolve(
        _ weights: [Double], _ axis: KernelAxis, _ step: ChainStep, in plan: inout PlanBuilder
    ) throws(GraphError) {
        // Values of filtered planes may lie outside the range of R'G'B'.
        let isLimited = plan.input.fuses || !filtersPlanes(step)
        if !isPicture && (isLimited || !isDrawn) {
            try materialize(turned: step.turned, isClamped: isLimited, in: &plan)
        }
        segment.head = .kernel(weights, isVertical: axis == .down)
        recordChange("\(step.label) \(axis == .down ? "down" : "across")")
    }

    /// Draws the segment, unless it is a picture already, so that later steps can read neighbouring pixels.
    mutating func prepareToRead(turned: Orientation, in plan: inout PlanBuilder) throws(GraphError) {
        if !isPicture { try materialize(turned: turned, isClamped: true, in: &plan) }
    }

    /// The size at which the picture is drawn, in pixels.
    func size(turned: Orientation) -> PixelSize {
        reducedSize ?? (turned.swapsAxes ? layer.rect.size.transposed : layer.rect.size)
    }

    /// Draws the segment into an intermediate picture of the layer's visible size.
    ///
    /// A new segment then reads that picture. `isClamped` limits values to 0…1.
    mutating func materialize(turned: Orientation, isClamped: Bool, in plan: inout PlanBuilder) throws(GraphError) {
        let capabilities = plan.input.capabilities
        let texel: TexelFormat =
            if isClamped {
                isWide ? capabilities.wideTexel : .rgba8
            } else {
                capabilities.hasFloatTargets ? .rgba32f : .rgba8
            }
        try materialize(turned: turned, as: texel, in: &plan)
        isPicture = isClamped || texel == .rgba8
    }

    /// The map from positions in the chain (0…1) to pixels of the drawn picture.
    func place(turned: Orientation) -> Mapping {
        let size = size(turned: turned)
        let visible = layer.visible.mapped(by: Mapping(turned))
        return Mapping.translation(-visible.x, -visible.y)
            .then(.scale(Double(size.width) / visible.width, Double(size.height) / visible.height))
    }

    /// Draws the segment into an intermediate picture with the given texel format.
    mutating func materialize(
        turned: Orientation, as texel: TexelFormat, in plan: inout PlanBuilder
    ) throws(GraphError) {
        let size = size(turned: turned)
        let visible = layer.visible.mapped(by: Mapping(turned))
        // An unturned picture lies on the canvas's pixels, so that both have the same grid of chroma samples.
        let isOnGrid = turned == .identity && reducedSize == nil
        let origin = isOnGrid ? (layer.rect.x, layer.rect.y) : (0, 0)
        let region = PixelRect(x: origin.0, y: origin.1, width: size.width, height: size.height)
        let names = segment.effects.isEmpty ? "picture" : segment.effects.joined(separator: ", ")
        let label = "\(names) of \(layer.image.label)"
        let target = try plan.addTextures(
            to: Canvas(
                size: PixelSize(region.maxX, region.maxY), format: .rgba, colorimetry: canvas.colorimetry,
                region: region, isPacked: false, isSubsampled: canvas.isSubsampled),
            label: label, texel: texel)
        let positions = Mapping.translation(-Double(region.x), -Double(region.y)).then(visible.fromPixels(of: size))
        let image = Image(
            size: size, format: .rgba, textures: target.textures, isPacked: false,
            colorimetry: segment.image.colorimetry, alpha: segment.hasAlpha ? .premultiplied : .none,
            sources: segment.image.sources, label: layer.image.label)
        var contents = PassContents(
            segment: segment, positions: positions, canvas: target, part: plan.parts(of: target)[0],
            usesChromaGrid: usesChromaGrid && isOnGrid)
        contents.replaces = true
        try plan.draw(contents, label: label, rects: [region])
        segment = Segment(image, place: place(turned: turned))
        isPicture = true
        isDrawn = true
    }
}

extension ChainBuilder {
    /// The planned chain after a last rotation, without the layer's blend.
    func unblended(turned: Orientation) -> PlannedChain {
        var chain = self
        chain.segment.turn(turned)
        return chain.planned
    }

    /// The segment that remains at the chain's end, for the pass that draws the layer.
    var planned: PlannedChain {
        var segment = segment
        if canvas.isYUV { segment.append(.matrix(canvas.colorimetry.yCbCrFromRGB)) }
        // Where luma contributes to chroma, filtered pixels that share a chroma sample differ too much to share one
        // conversion.
        let usesChromaGrid = usesChromaGrid && (!isFiltered || segment.keepsLumaAndChromaApart)
        return PlannedChain(segment: segment, positions: layer.positions, usesChromaGrid: usesChromaGrid)
    }
}
