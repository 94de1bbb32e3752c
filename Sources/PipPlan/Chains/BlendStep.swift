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

    /// Blends a chain's picture with the other pictures, in the pass that draws the following steps.
    ///
    /// A Poisson blend also draws passes of its own.
    func apply(to picture: inout ChainPicture, in recorder: inout StepRecorder) throws(GraphError) {
        guard mode.kind == .poisson else {
            return picture.append(.combine(mode.call(role), .identity, others), label: mode.label)
        }
        guard var overlay = others.first else { return }
        switch role {
        case .node: try picture.prepareToRead(in: &recorder)
        case .layer, .linearLayer:
            let base = overlay
            try picture.materialize(isClamped: true, in: &recorder)
            overlay = SecondPicture(image: picture.segment.image, place: picture.segment.place, isSameSize: true)
            picture.segment = Segment(base.image, place: base.place)
            try picture.materialize(isClamped: true, in: &recorder)
        }
        let blend = PoissonBlend(mode: mode, overlay: overlay, mask: others.dropFirst().first)
        try blend.apply(to: &picture, in: &recorder)
    }
}

extension BlendMode {
    /// The blend's name in labels of passes.
    var label: String { "\(kind.rawValue) blend" }

    /// Makes the operation that blends a chain's picture, as the base, with an overlay and, if `isMasked`, a mask.
    ///
    /// `.none` where the mode leaves the base unchanged.
    func operation(isMasked: Bool) -> EffectOperation {
        guard !isIdentity else { return .none }
        return .combine(with: [], and: isMasked ? [] : nil, call(.node(isMasked: isMasked)))
    }
}

extension BlendBase {
    /// Blends a layer's picture with the picture below: by the layer's mode, in linear light, or both.
    func blend(_ picture: inout ChainPicture, in recorder: inout StepRecorder) throws(GraphError) {
        let layer = picture.layer
        if picture.segment.samplerCount + (isLinear ? 2 : 1) > Segment.samplerLimit {
            try picture.materialize(isClamped: false, in: &recorder)
        }
        picture.turn()
        // The map from positions in the picture back to the canvas.
        let canvasPlace = layer.visible.toPixels(of: layer.rect.size)
            .then(.translation(Double(layer.rect.x), Double(layer.rect.y)))
        let inRegion = Mapping.translation(-Double(region.x), -Double(region.y))
        let below = SecondPicture(image: image, place: canvasPlace.then(inRegion), isSameSize: true)
        // The Poisson blend works on gamma-encoded values, even where the compositor blends in linear light.
        let isLinearBlend = isLinear && layer.record.blend.map { $0.kind != .poisson } ?? false
        if let mode = layer.record.blend {
            let step = BlendStep(mode: mode, role: isLinearBlend ? .linearLayer : .layer, others: [below])
            try step.apply(to: &picture, in: &recorder)
        }
        guard isLinear else { return }
        var look = layer.linearLook
        look.isBlended = isLinearBlend
        let over = SecondPicture(image: image, place: inRegion, isSameSize: true)
        picture.segment.append(.combine(look.call(isOverOpaque: image.alpha == .none), canvasPlace, [over]))
    }
}

/// The Poisson blend, which adds an overlay's gradients to a picture by iteration, in many passes.
struct PoissonBlend {
    let mode: BlendMode
    let overlay: SecondPicture
    /// The mask that limits the overlay; nil for none.
    let mask: SecondPicture?

    /// Blends a chain's picture with the overlay.
    ///
    /// Draws each iteration but the last; the pass that draws the following steps draws the last iteration, too.
    func apply(to picture: inout ChainPicture, in recorder: inout StepRecorder) throws(GraphError) {
        let detail = try detail(picture, in: &recorder)
        for iteration in 1...max(mode.iterations, 1) {
            let own = SecondPicture(image: picture.segment.image, place: picture.segment.place, isSameSize: true)
            picture.segment.head = .neighbourhood(BlendMode.Poisson.mean)
            picture.append(
                .combine(BlendMode.Poisson.step, .identity, [detail, own]), label: "\(mode.label) \(iteration)")
            picture.isWide = true
            if iteration < mode.iterations { try picture.materialize(isClamped: true, in: &recorder) }
        }
    }

    /// The difference of each overlay pixel from the mean of its neighbours, where the mask allows it.
    private func detail(
        _ picture: ChainPicture, in recorder: inout StepRecorder
    ) throws(GraphError) -> SecondPicture {
        var detail = picture
        detail.isWide = false
        detail.segment = Segment(overlay.image, place: overlay.place)
        if !overlay.isSameSize { try detail.materialize(isClamped: true, in: &recorder) }
        detail.segment.head = .neighbourhood(BlendMode.Poisson.detail(mode))
        if let mask { detail.segment.append(.combine(BlendMode.Poisson.masked(mode), .identity, [mask])) }
        detail.recordChange("detail for \(mode.label)")
        detail.isWide = true
        try detail.materialize(isClamped: true, in: &recorder)
        return SecondPicture(image: detail.segment.image, place: detail.segment.place, isSameSize: true)
    }
}
