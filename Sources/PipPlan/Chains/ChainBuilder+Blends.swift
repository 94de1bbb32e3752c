internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A step that blends a node with its overlay and mask, or a layer with the picture below it.
struct BlendStep {
    var mode: BlendMode
    /// The role of the chain's own picture in the blend.
    var role: BlendMode.Role
    /// The pictures that are blended with the chain's own: a node's overlay and mask, or the picture below a layer.
    var others: [SecondPicture]
}

/// The picture below a layer, with which the layer is blended.
struct BlendBase {
    var image: Image
    /// The canvas region that the picture covers, in canvas pixels.
    var region: PixelRect
    /// True when the layer's pass blends in linear light.
    ///
    /// The pass then replaces the whole region, and draws the layer's look as well.
    var isLinear: Bool
    /// The part of the region in which the layer hides the picture below and is not blended; nil for none.
    var solid: PixelRect?
}

extension BlendMode {
    /// The blend's name in labels of passes.
    var label: String { "\(kind.rawValue) blend" }

    /// Blends a chain's picture, as the base, with an overlay and, if `isMasked`, a mask.
    func operation(isMasked: Bool) -> EffectOperation {
        guard !isIdentity else { return .none }
        return .combine(with: [], and: isMasked ? [] : nil, call(.node(isMasked: isMasked)))
    }
}

extension ChainBuilder {
    /// Blends the chain's picture with the step's other pictures, in the pass that draws the following steps.
    private mutating func blend(
        _ step: BlendStep, turned: Orientation, in plan: inout PlanBuilder
    ) throws(GraphError) {
        guard step.mode.kind == .poisson else {
            segment.append(.combine(step.mode.call(step.role), .identity, step.others))
            return recordChange(step.mode.label)
        }
        switch step.role {
        case .node:
            try prepareToRead(turned: turned, in: &plan)
            try poisson(step, over: step.others.first, turned: turned, in: &plan)
        case .layer, .linearLayer:
            guard let base = step.others.first else { return }
            try materialize(turned: turned, isClamped: true, in: &plan)
            let over = SecondPicture(image: segment.image, place: segment.place, isSameSize: true)
            segment = Segment(base.image, place: base.place)
            try materialize(turned: turned, isClamped: true, in: &plan)
            try poisson(step, over: over, turned: turned, in: &plan)
        }
    }

    /// Blends the chain's picture with the pictures of other nodes, stretched to the chain's size.
    ///
    /// Does nothing while one of those nodes has no frames.
    mutating func blend(
        _ mode: BlendMode, with nodes: [NodeID], turned: Orientation, in plan: inout PlanBuilder
    ) throws(GraphError) {
        let whole = turned.size(of: layer.pictureSize)
        var others: [SecondPicture] = []
        for node in nodes {
            guard
                let image = try plan.picture(
                    of: node, size: whole, colorimetry: canvas.colorimetry, isSubsampled: canvas.isSubsampled)
            else { return }
            others.append(
                SecondPicture(
                    image: image, place: .scale(Double(whole.width), Double(whole.height)),
                    isSameSize: whole == size(turned: turned)))
        }
        let step = BlendStep(mode: mode, role: .node(isMasked: nodes.count > 1), others: others)
        try blend(step, turned: turned, in: &plan)
    }

    /// Blends the layer with the picture below it, if its mode or the compositor's light requires it.
    mutating func blendWithBase(turned: Orientation, in plan: inout PlanBuilder) throws(GraphError) {
        guard let base = layer.base else { return }
        if segment.samplerCount + (base.isLinear ? 2 : 1) > Segment.samplerLimit {
            try materialize(turned: turned, isClamped: false, in: &plan)
        }
        segment.turn(turned)
        // The map from positions in the picture back to the canvas.
        let canvasPlace = Mapping.translation(-layer.visible.x, -layer.visible.y)
            .then(
                .scale(Double(layer.rect.width) / layer.visible.width, Double(layer.rect.height) / layer.visible.height)
            )
            .then(.translation(Double(layer.rect.x), Double(layer.rect.y)))
        let inRegion = Mapping.translation(-Double(base.region.x), -Double(base.region.y))
        let below = SecondPicture(image: base.image, place: canvasPlace.then(inRegion), isSameSize: true)
        // The Poisson blend works on gamma-encoded values, even where the compositor blends in linear light.
        let isLinearBlend = base.isLinear && layer.record.blend.map { $0.kind != .poisson } ?? false
        if let mode = layer.record.blend {
            let role: BlendMode.Role = isLinearBlend ? .linearLayer : .layer
            try blend(BlendStep(mode: mode, role: role, others: [below]), turned: .identity, in: &plan)
        }
        guard base.isLinear else { return }
        var look = layer.linearLook
        look.isBlended = isLinearBlend
        let over = SecondPicture(image: base.image, place: inRegion, isSameSize: true)
        segment.append(.combine(look.call(isOverOpaque: base.image.alpha == .none), canvasPlace, [over]))
    }
}

/// The Poisson blend, which is drawn in many passes.
extension ChainBuilder {
    /// Blends the overlay's gradients into the picture by iteration.
    ///
    /// Each iteration but the last is drawn at once; the last is left for the pass that draws the following steps.
    ///
    /// - Parameters:
    ///   - step: The blend. The second picture of `others`, if there is one, is the mask.
    ///   - over: The overlay.
    ///   - turned: The combined rotation of the later steps.
    ///   - plan: The plan, to which passes are added.
    /// - Throws: ``GraphError`` when an intermediate picture is too large.
    mutating func poisson(
        _ step: BlendStep, over: SecondPicture?, turned: Orientation, in plan: inout PlanBuilder
    ) throws(GraphError) {
        guard let over else { return }
        let (mode, label) = (step.mode, step.mode.label)
        let mask = step.others.dropFirst().first
        let detail = try detail(of: over, mask: mask, mode, turned: turned, in: &plan)
        for iteration in 1...max(mode.iterations, 1) {
            let own = SecondPicture(image: segment.image, place: segment.place, isSameSize: true)
            segment.head = .neighbourhood(BlendMode.Poisson.mean)
            segment.append(.combine(BlendMode.Poisson.step, .identity, [detail, own]))
            recordChange("\(label) \(iteration)")
            isWide = true
            if iteration < mode.iterations { try materialize(turned: turned, isClamped: true, in: &plan) }
        }
    }

    /// The overlay's detail: the difference of each pixel from the mean of its neighbours, limited by the mask.
    private func detail(
        of over: SecondPicture, mask: SecondPicture?, _ mode: BlendMode, turned: Orientation,
        in plan: inout PlanBuilder
    ) throws(GraphError) -> SecondPicture {
        var branch = self
        branch.isWide = false
        branch.segment = Segment(over.image, place: over.place)
        if !over.isSameSize { try branch.materialize(turned: turned, isClamped: true, in: &plan) }
        branch.segment.head = .neighbourhood(BlendMode.Poisson.detail(mode))
        if let mask { branch.segment.append(.combine(BlendMode.Poisson.masked(mode), .identity, [mask])) }
        branch.recordChange("detail for \(mode.label)")
        branch.isWide = true
        try branch.materialize(turned: turned, isClamped: true, in: &plan)
        return SecondPicture(image: branch.segment.image, place: branch.segment.place, isSameSize: true)
    }
}
