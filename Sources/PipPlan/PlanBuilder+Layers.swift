internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A chain whose last segment is ready to be drawn on its canvas.
struct PlannedChain {
    var segment: Segment
    /// The map from canvas pixels to positions in the chain.
    var positions: Mapping
    var usesChromaGrid: Bool
}

/// The chains of a layer: for the pixels that mix with pixels below, and for the pixels that hide them.
struct LayerChains {
    var whole: PlannedChain
    /// The chain without the blend in linear light, for the part that hides the layers below; nil where no part does.
    var solid: PlannedChain?
}

/// A rectangle of a layer that is drawn with one chain.
private struct LayerDrawing {
    var layer: LayerPlan
    var chain: PlannedChain
    var rect: PixelRect
    /// The coverage for each part of the canvas; nil covers every pixel.
    var covers: [PassContents.Cover?]
    /// True when the drawn pixels replace those below.
    var replaces = false
}

extension PlanBuilder {
    /// Draws layers onto canvases: a whole canvas, or rectangles over an untouched bottom layer.
    ///
    /// - Parameters:
    ///   - layers: The layers, bottom first.
    ///   - base: The untouched bottom layer, whose frame is the rest of the picture.
    ///   - canvases: The canvas, or the rectangles.
    ///   - hole: A rectangle that need not be drawn; nil for none.
    /// - Throws: ``GraphError`` when an intermediate picture is too large.
    mutating func draw(
        _ layers: [LayerPlan], over base: LayerPlan?, onto canvases: [Canvas], around hole: PixelRect? = nil
    ) throws(GraphError) {
        guard let first = canvases.first else { return }
        if let base {
            for canvas in canvases where !layers.contains(where: { $0.hidden?.contains(canvas.region) ?? false }) {
                if canUpload(base, to: canvas) {
                    upload(base, to: canvas)
                } else {
                    let chains = try planned(base, on: canvas)
                    try draw(base, chains, onto: canvas, below: [])
                }
            }
        }
        for (index, layer) in layers.enumerated() {
            let above = layers.dropFirst(index + 1).compactMap(\.hidden) + (hole.map { [$0] } ?? [])
            let chains = try planned(layer, on: first)
            for canvas in canvases {
                if layer.base?.isLinear != true { try drawShadow(of: layer, chains.whole, onto: canvas) }
                try draw(layer, chains, onto: canvas, below: above)
            }
        }
    }

    /// Plans a layer's chain, after uploading its source's frame.
    mutating func planned(_ layer: LayerPlan, on canvas: Canvas) throws(GraphError) -> LayerChains {
        var layer = layer
        if layer.image.textures.isEmpty, let source = layer.image.sources.first,
            let image = try image(ofSource: source)
        {
            layer.image = image
        }
        return try planChain(layer, on: canvas)
    }

    private mutating func draw(
        _ layer: LayerPlan, _ chains: LayerChains, onto canvas: Canvas, below above: [PixelRect]
    ) throws(GraphError) {
        let place = layer.rect.intersection(canvas.size.bounds)
        guard let base = layer.base, base.isLinear else {
            let covers = canvas.parts.map { part in
                !layer.record.look.isPlain || !canvas.isAligned(place, part: part) ? layer.cover : nil
            }
            let drawing = LayerDrawing(layer: layer, chain: chains.whole, rect: place, covers: covers)
            return try draw(drawing, onto: canvas, below: above)
        }
        let covers: [PassContents.Cover?] = canvas.parts.map { _ in nil }
        var above = above
        if let solid = base.solid, let chain = chains.solid {
            let drawing = LayerDrawing(layer: layer, chain: chain, rect: solid, covers: covers)
            try draw(drawing, onto: canvas, below: above)
            // The solid part hides the base, which is not drawn there.
            above.insert(solid, at: 0)
        }
        var drawing = LayerDrawing(layer: layer, chain: chains.whole, rect: base.region, covers: covers)
        drawing.replaces = true
        try draw(drawing, onto: canvas, below: above)
    }

    /// Draws a rectangle of a layer, except where one of the rectangles above hides it.
    private mutating func draw(
        _ drawing: LayerDrawing, onto canvas: Canvas, below above: [PixelRect]
    ) throws(GraphError) {
        let (chain, covers) = (drawing.chain, drawing.covers)
        let whole = drawing.rect.intersection(canvas.region)
        guard !whole.isEmpty else { return }
        let grain = Canvas.grain(canvas.format, isPacked: canvas.isPacked)
        let rects = visibleParts(of: whole, below: above, grain: grain)
        if rects.isEmpty { return }
        let parts = canvas.parts
        let isBlended = !drawing.replaces && (chain.segment.hasAlpha || covers.contains { $0 != nil })
        let wanted: [Int?] = canvas.splitsRows && !isBlended ? [nil] : self.parts(of: canvas)
        for part in wanted {
            let cover = part.map { covers[$0] } ?? covers.first { $0 != nil } ?? nil
            var contents = PassContents(
                segment: chain.segment, positions: chain.positions, canvas: canvas, part: part, cover: cover,
                usesChromaGrid: chain.usesChromaGrid)
            contents.replaces = drawing.replaces
            let what = part.map { name(of: parts[$0], on: canvas) } ?? ""
            try draw(contents, label: what + label(of: drawing.layer, chain.segment), rects: rects)
        }
    }

    private mutating func drawShadow(
        of layer: LayerPlan, _ chain: PlannedChain, onto canvas: Canvas
    ) throws(GraphError) {
        guard let shadow = layer.record.look.shadow, let rect = layer.shadowRect else { return }
        let bounds = rect.insetBy(-Int(shadow.blur.rounded(.up))).intersection(canvas.region)
            .intersection(canvas.size.bounds)
        guard !bounds.isEmpty else { return }
        let cover = PassContents.Cover(
            rect: rect, cornerRadius: layer.record.look.cornerRadius,
            opacity: shadow.opacity * layer.record.look.opacity, shadowBlur: shadow.blur)
        for part in parts(of: canvas) {
            var contents = PassContents(
                segment: chain.segment, positions: chain.positions, canvas: canvas, part: part, cover: cover,
                usesChromaGrid: false)
            contents.solid = .black
            let what = part.map { name(of: canvas.parts[$0], on: canvas) } ?? ""
            try draw(contents, label: what + "shadow of \(layer.image.label)", rects: [bounds])
        }
    }

    /// The visible part of a rectangle, divided into at most eight rectangles.
    private func visibleParts(of rect: PixelRect, below above: [PixelRect], grain: PixelSize) -> [PixelRect] {
        var parts = [rect]
        for cover in above {
            let hidden = cover.alignedInward(toWidth: grain.width, height: grain.height)
            if hidden.isEmpty { continue }
            let rest = parts.flatMap { $0.subtracting(hidden) }
            if rest.count <= 8 { parts = rest }
        }
        return parts
    }

    /// The name of a part's contents for labels of passes, such as `luma of `.
    private func name(of part: Canvas.Part, on canvas: Canvas) -> String {
        guard canvas.isYUV else { return "" }
        if part.plane == 0 { return part.rowStep == 1 ? "luma of " : "luma (every other row) of " }
        return canvas.format.planeCount == 2 ? "chroma of " : part.plane == 1 ? "Cb of " : "Cr of "
    }

    private func label(of layer: LayerPlan, _ segment: Segment) -> String {
        layer.image.label + (segment.effects.isEmpty ? "" : ": " + segment.effects.joined(separator: ", "))
    }

    /// True when the planes of an unchanged layer's frame can be uploaded straight into a canvas.
    func canUpload(_ base: LayerPlan, to canvas: Canvas) -> Bool {
        guard executor == .gl, let source = base.image.sources.first, let format = input.sources[source] else {
            return false
        }
        guard base.isUntouched(on: canvas.size, format: canvas.format, colorimetry: canvas.colorimetry) else {
            return false
        }
        return canvas.isYUV && !canvas.splitsRows && (format.layout.canBePacked || !canvas.isPacked)
    }

    /// Uploads the planes of a layer's frame, or the part of them that a canvas holds, into the canvas's textures.
    mutating func upload(_ base: LayerPlan, to canvas: Canvas) {
        guard let source = base.image.sources.first else { return }
        for (part, texture) in zip(canvas.parts, canvas.textures) {
            let planned = plan.textures[texture]
            let region = PixelRect(
                x: canvas.region.x / part.block.width, y: canvas.region.y / part.block.height,
                width: planned.size.width, height: planned.size.height)
            plan.steps.append(
                .upload(
                    Upload(
                        source: source, plane: part.plane, texture: texture, region: region,
                        bytesPerTexel: planned.format.bytesPerTexel)))
        }
    }

    /// A source's image before it has textures, from which a layer's place is computed.
    func describe(source id: NodeID) -> Image? {
        input.sources[id].map { source in
            Image(
                size: source.layout.size, format: source.layout.format, textures: [], isPacked: false,
                colorimetry: source.colorimetry, alpha: source.layout.format.hasAlpha ? .premultiplied : .none,
                sources: [id], label: graph.label(of: id), wasYUV: source.layout.format.isYUV)
        }
    }

    /// Plans a layer's chain.
    ///
    /// Draws the steps that need passes of their own into intermediate pictures of the layer's size. Returns the
    /// remaining steps, for the pass that draws the layer.
    private mutating func planChain(_ layer: LayerPlan, on canvas: Canvas) throws(GraphError) -> LayerChains {
        let steps = layer.steps(onto: canvas.colorimetry)
        let last = layer.record.placement.orientation
        let isDisplaced = steps.contains { $0.operation.traits.displacesPixels }
        // Chroma is read once for 2×2 pixels, unless an image of the chain is rotated.
        let isTurned =
            layer.orientation != .identity || last != .identity
            || steps.contains { $0.turned != .identity }
        var chain = ChainBuilder(
            layer: layer, canvas: canvas, usesChromaGrid: canvas.isSubsampled && !isDisplaced && !isTurned,
            executor: executor)
        for (index, step) in steps.enumerated() {
            try chain.append(step, to: &self)
            if !input.fuses {
                let next = index + 1 < steps.count ? steps[index + 1] : nil
                // Values of filtered planes may lie outside the range of R'G'B'.
                let isClamped = next.map { $0.operation.traits.readsNeighbours && !chain.filtersPlanes($0) } ?? false
                try chain.materialize(turned: next?.turned ?? last, isClamped: isClamped, in: &self)
            }
        }
        try chain.finish(turned: last, in: &self)
        guard let base = layer.base else { return LayerChains(whole: chain.unblended(turned: last)) }
        let solid = base.solid.map { _ in chain.unblended(turned: last) }
        try chain.blendWithBase(turned: last, in: &self)
        return LayerChains(whole: chain.planned, solid: solid)
    }
}
