internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A chain that is ready to be drawn on its canvas.
struct PlannedChain {
    var segment: Segment
    /// From canvas pixels to positions in the chain.
    var positions: Mapping
    var usesChromaGrid: Bool
}

extension PlanBuilder {
    /// Plans a layer's chain: draws what needs passes of its own into intermediate pictures of the layer's size, and gives the rest, for
    /// the pass that draws the layer.
    mutating func planChain(_ layer: LayerPlan, on canvas: Canvas) throws(GraphError) -> PlannedChain {
        let steps = layer.steps(onto: canvas.colorimetry)
        let last = layer.record.placement.orientation
        let isWarped = steps.contains { if case .warp = $0.operation { true } else { false } }
        // Chroma is read once for 2×2 pixels where no picture on the way lies otherwise.
        let isTurned =
            layer.orientation != .identity || last != .identity
            || steps.contains { $0.turned != .identity }
        var chain = ChainBuilder(
            layer: layer, canvas: canvas, usesChromaGrid: canvas.isSubsampled && !isWarped && !isTurned)
        for (index, step) in steps.enumerated() {
            try chain.append(step, to: &self)
            if !input.fuses {
                let next = index + 1 < steps.count ? steps[index + 1] : nil
                // Planes are filtered without the limits of R'G'B'.
                let isClamped = next.map { $0.operation.readsNeighbours && !chain.filtersPlanes($0) } ?? false
                try chain.materialize(turned: next?.turned ?? last, isClamped: isClamped, in: &self)
            }
        }
        try chain.finish(turned: last, in: &self)
        if layer.base != nil {
            try chain.blendWithBase(turned: last, in: &self)
        } else {
            chain.segment.turn(last)
        }
        if canvas.isYUV { chain.segment.append(.matrix(canvas.colorimetry.yCbCrFromRGB)) }
        // Where luma takes a part in chroma, pixels of one sample differ by what the filter left between samples.
        let usesChromaGrid =
            chain.usesChromaGrid && (!chain.isFiltered || chain.segment.keepsLumaAndChromaApart)
        return PlannedChain(segment: chain.segment, positions: layer.positions, usesChromaGrid: usesChromaGrid)
    }
}

/// A chain as it grows, effect by effect.
struct ChainBuilder {
    let layer: LayerPlan
    let canvas: Canvas
    let usesChromaGrid: Bool
    var segment: Segment
    /// The size of the picture where it was made smaller on the way.
    var reducedSize: PixelSize?
    /// Whether the segment is a picture of its own size as it was drawn, within 0…1, and nothing else.
    var isPicture = false
    /// Whether it is planes of its own size that were filtered.
    var isFiltered = false
    /// The same, within any limits.
    private var isDrawn = false
    /// Whether what the segment gives must be kept as floating-point numbers.
    var isWide = false

    init(layer: LayerPlan, canvas: Canvas, usesChromaGrid: Bool) {
        self.layer = layer
        self.canvas = canvas
        self.usesChromaGrid = usesChromaGrid
        segment = Segment(layer.image, place: layer.place)
        if layer.image.format.isYUV { segment.append(.matrix(layer.image.colorimetry.rgbFromYCbCr)) }
    }

    mutating func append(_ step: ChainStep, to plan: inout PlanBuilder) throws(GraphError) {
        let operation = step.operation
        if !plan.input.fuses && operation != .lanczos && segment.effects.isEmpty
            && segment.image.textures == layer.image.textures
        {
            try materialize(
                turned: step.turned, isClamped: !operation.readsSource && !filtersPlanes(step), in: &plan)
        }
        if segment.samplerCount + operation.samplerCount > Segment.samplerLimit {
            try materialize(turned: step.turned, isClamped: false, in: &plan)
        }
        if let blend = step.blend { return try self.blend(blend, step, in: &plan) }
        // After what draws the picture as it was.
        defer { noteWidth(operation) }
        switch operation {
        // Crops are taken out before a chain is planned.
        case .none, .crop: return
        case .affine(let transform): segment.append(.matrix(transform))
        case .curve(var curve):
            // Drawn by itself it is what fused drawing is compared with.
            curve.isExact = curve.isExact || !plan.input.fuses || step.mustBeExact
            segment.append(.curve(curve))
        case .pixel(let call): segment.append(.pixel(call, .identity))
        case .orientation(let orientation): segment.turn(orientation)
        case .warp(let call):
            // What is displaced is the picture at the size and in the colours in which it is seen, not the source's samples.
            try prepareToRead(turned: step.turned, in: &plan)
            segment.head = .warp(call, .identity)
        case .neighbourhood(let call):
            try prepareToRead(turned: step.turned, in: &plan)
            segment.head = .neighbourhood(call)
        case .separable, .gaussian:
            if plan.input.fuses && filtersPlanes(step) {
                try filterPlanes(step, in: &plan)
            } else if plan.input.effectQuality < .full, reducedSize == nil, let smaller = operation.ofReducedSize {
                try append(step.with(smaller), to: &plan)
            } else {
                try appendKernel(operation.kernel, isVertical: false, step, to: &plan)
                try appendKernel(operation.kernel, isVertical: true, step, to: &plan)
            }
            return
        case .kernel(let weights, let axis):
            try appendKernel(weights, isVertical: axis == .down, step, to: &plan)
            return
        case .sampler, .combine, .shrink, .mean, .temporal, .tabulated, .table, .lanczos, .sequence:
            try appendWide(step, to: &plan)
            return
        }
        noteChange(step.label)
    }

    /// Notes whether what an operation gives must be kept as floating-point numbers; blurs and the like keep what they are given.
    private mutating func noteWidth(_ operation: EffectOperation) {
        switch operation {
        case .pixel(let call), .neighbourhood(let call), .sampler(let call), .combine(_, _, let call),
            .temporal(let call), .tabulated(_, _, let call):
            isWide = call.isWide
        case .curve, .table: isWide = false
        default: return
        }
    }

    /// Notes that the segment is no longer the picture that it reads.
    mutating func noteChange(_ label: String) {
        segment.effects.append(label)
        isPicture = false
        isDrawn = false
    }

    private mutating func appendKernel(
        _ weights: [Double], isVertical: Bool, _ step: ChainStep, to plan: inout PlanBuilder
    ) throws(GraphError) {
        // Planes are filtered without the limits of R'G'B'.
        let isLimited = plan.input.fuses || !filtersPlanes(step)
        if !isPicture && (isLimited || !isDrawn) {
            try materialize(turned: step.turned, isClamped: isLimited, in: &plan)
        }
        segment.head = .kernel(weights, isVertical: isVertical)
        noteChange("\(step.label) \(isVertical ? "down" : "across")")
    }

    /// Draws the segment, unless it is a picture already, so that pixels around can be read.
    mutating func prepareToRead(turned: Orientation, in plan: inout PlanBuilder) throws(GraphError) {
        if !isPicture { try materialize(turned: turned, isClamped: true, in: &plan) }
    }

    /// The size of the picture as it is drawn here.
    func size(turned: Orientation) -> PixelSize {
        reducedSize ?? (turned.swapsAxes ? layer.rect.size.transposed : layer.rect.size)
    }

    /// Draws the segment into a picture of its own, at the size at which the layer is seen, and starts a new one that reads it.
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

    /// From positions in the chain to pixels of the picture that is drawn here.
    func place(turned: Orientation) -> Mapping {
        let size = size(turned: turned)
        let visible = layer.visible.mapped(by: Mapping(turned))
        return Mapping.translation(-visible.x, -visible.y)
            .then(.scale(Double(size.width) / visible.width, Double(size.height) / visible.height))
    }

    /// The same, with texels of any kind.
    mutating func materialize(
        turned: Orientation, as texel: TexelFormat, in plan: inout PlanBuilder
    ) throws(GraphError) {
        let size = size(turned: turned)
        let visible = layer.visible.mapped(by: Mapping(turned))
        // Unturned, its pixels are the canvas's pixels, so that chroma falls on the same grid.
        let isOnGrid = turned == .identity && reducedSize == nil
        let origin = isOnGrid ? (layer.rect.x, layer.rect.y) : (0, 0)
        let region = PixelRect(x: origin.0, y: origin.1, width: size.width, height: size.height)
        let names = segment.effects.isEmpty ? "picture" : segment.effects.joined(separator: ", ")
        let label = "\(names) of \(layer.image.label)"
        var target = try plan.addCanvas(
            label, size: size, format: .rgba, colorimetry: canvas.colorimetry, region: region, isPacked: false,
            isSubsampled: canvas.isSubsampled, texel: texel)
        target.size = PixelSize(region.maxX, region.maxY)
        let positions = Mapping.translation(-Double(region.x), -Double(region.y)).then(visible.fromPixels(of: size))
        let image = Image(
            size: size, format: .rgba, textures: target.textures, isPacked: false,
            colorimetry: segment.image.colorimetry, alpha: segment.hasAlpha ? .premultiplied : .none,
            sources: segment.image.sources, label: layer.image.label)
        var builder = PassBuilder(
            segment: segment, positions: positions, canvas: target, part: 0, cover: nil,
            usesChromaGrid: usesChromaGrid && isOnGrid)
        builder.replaces = true
        try plan.draw(builder, label: label, rects: [region])
        segment = Segment(image, place: place(turned: turned))
        isPicture = true
        isDrawn = true
    }
}
