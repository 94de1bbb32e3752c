internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A blend as an effect of the chain of its base.
struct BlendStep: Effect {
    static let name = "blend"
    static let summary = "blends with another picture"
    static var parameters: [EffectParameter<BlendStep>] { [] }

    var mode = BlendMode.normal
    /// What is blended with the chain's picture; nil for nothing.
    var inputs: BlendInputs?

    func operation(in context: EffectContext) -> EffectOperation {
        guard let inputs, !mode.isIdentity else { return .none }
        let isMasked = inputs.mask != nil
        return .combine(with: [], and: isMasked ? [] : nil, mode.call(.node(isMasked: isMasked)))
    }
}

/// What lies below a layer that is blended with it.
struct BlendBase {
    var image: Image
    /// The part of the canvas that it is, in canvas pixels.
    var region: PixelRect
}

extension ChainBuilder {
    /// Blends the picture with another node's, in the pass that draws what follows.
    mutating func blend(_ blend: BlendStep, _ step: ChainStep, in plan: inout PlanBuilder) throws(GraphError) {
        guard let inputs = blend.inputs, case .combine(_, _, let call) = step.operation else { return }
        let whole = step.turned.size(of: layer.pictureSize)
        var others: [SecondPicture] = []
        for node in [inputs.overlay] + (inputs.mask.map { [$0] } ?? []) {
            guard
                let image = try plan.picture(
                    of: node, size: whole, colorimetry: canvas.colorimetry, isSubsampled: canvas.isSubsampled)
            else { return }
            others.append(
                SecondPicture(
                    image: image, place: .scale(Double(whole.width), Double(whole.height)),
                    isSameSize: whole == size(turned: step.turned)))
        }
        if blend.mode.kind == .poisson {
            try prepareToRead(turned: step.turned, in: &plan)
            return try poisson(blend.mode, others, turned: step.turned, label: step.label, in: &plan)
        }
        segment.append(.combine(call, .identity, others))
        noteChange(step.label)
    }

    /// Blends the layer with what lies below it, where its mode says so.
    mutating func blendWithBase(turned: Orientation, in plan: inout PlanBuilder) throws(GraphError) {
        guard let base = layer.base, let mode = layer.record.blend else { return }
        if segment.samplerCount + 1 > Segment.samplerLimit {
            try materialize(turned: turned, isClamped: false, in: &plan)
        }
        segment.turn(turned)
        // From positions in the picture back to the canvas.
        let place = Mapping.translation(-layer.visible.x, -layer.visible.y)
            .then(
                .scale(Double(layer.rect.width) / layer.visible.width, Double(layer.rect.height) / layer.visible.height)
            )
            .then(.translation(Double(layer.rect.x - base.region.x), Double(layer.rect.y - base.region.y)))
        if mode.kind == .poisson {
            try materialize(turned: .identity, isClamped: true, in: &plan)
            let over = SecondPicture(image: segment.image, place: segment.place, isSameSize: true)
            segment = Segment(base.image, place: place)
            try materialize(turned: .identity, isClamped: true, in: &plan)
            return try poisson(mode, [over], turned: .identity, label: "\(mode.kind.rawValue) blend", in: &plan)
        }
        let below = SecondPicture(image: base.image, place: place, isSameSize: true)
        segment.append(.combine(mode.call(.layer), .identity, [below]))
        noteChange("\(mode.kind.rawValue) blend")
    }
}

extension PlanBuilder {
    /// What a node gives, as a picture of a size with alpha; nil while nothing of it has frames.
    mutating func picture(
        of node: NodeID, size: PixelSize, colorimetry: Colorimetry, isSubsampled: Bool
    ) throws(GraphError) -> Image? {
        let key = PictureKey(node: node, size: size)
        if let image = pictures[key] { return image }
        var record = LayerRecord(node)
        record.placement.fit = .stretch
        let whole = Composition(canvas: size, background: .clear, layers: [record])
        let label = "\(graph.label(of: node)), to be blended"
        let drawn = try draw(
            whole, label: label, size: size, format: .rgba, colorimetry: colorimetry, isSubsampled: false,
            isFinal: false)
        guard !drawn.sources.isEmpty, var image = drawn.canvases.first?.image else { return nil }
        image.alpha = .premultiplied
        image.sources = drawn.sources
        image.label = label
        pictures[key] = image
        return image
    }

    /// Draws what lies below each layer that is blended with it, before anything else.
    mutating func addBlendBases(
        _ layers: inout [LayerPlan], over background: Color, on size: PixelSize, colorimetry: Colorimetry
    ) throws(GraphError) {
        for index in layers.indices where layers[index].record.blend != nil {
            let region = layers[index].rect.intersection(size.bounds)
            if region.isEmpty { continue }
            let canvas = try addCanvas(
                "below \(layers[index].image.label)", size: size, format: .rgba, colorimetry: colorimetry,
                region: region, isPacked: false, isSubsampled: false)
            let below = Array(layers[..<index])
            let isCovered = below.contains { $0.isOpaque && $0.rect.contains(region) }
            if !isCovered { clear(canvas, to: background) }
            try draw(below, over: nil, onto: [canvas])
            var image = canvas.image
            image.size = region.size
            image.sources = below.flatMap(\.sources)
            layers[index].base = BlendBase(image: image, region: region)
        }
    }
}

extension Graph {
    /// The sources that blends of a chain show beside the chain's own.
    func sources(blendedBy effects: [any Effect]) -> [NodeID] {
        var waiting = effects.compactMap { ($0 as? BlendStep)?.inputs }
            .flatMap { [$0.overlay] + ($0.mask.map { [$0] } ?? []) }
        var found: [NodeID] = []
        var seen: Set<NodeID> = []
        while let id = waiting.popLast() {
            guard seen.insert(id).inserted else { continue }
            if case .source? = self[id] { found.append(id) }
            waiting += inputs(of: id)
        }
        return found
    }
}
