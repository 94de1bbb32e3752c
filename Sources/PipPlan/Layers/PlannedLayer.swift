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

/// A layer whose chain is drawn except for the pass that writes the layer onto its canvas.
struct PlannedLayer {
    let layer: LayerPlan
    /// The chain for all pixels, or, beside ``solid``, for the pixels that mix with pixels below.
    let whole: PlannedChain
    /// The chain without the blend in linear light, for the part that hides the layers below; nil where no part does.
    var solid: PlannedChain?

    /// A rectangle of the layer that is drawn with one chain.
    private struct Drawing {
        var chain: PlannedChain
        var rect: PixelRect
        /// The coverage for each part of the canvas; nil to cover every pixel.
        var covers: [PassContents.Cover?]
        /// True when the drawn pixels replace those below.
        var replaces = false
    }

    /// Draws the layer, except where one of the rectangles above hides the layer.
    ///
    /// A layer that is blended in linear light includes its shadow; other layers need ``drawShadow(onto:in:)`` before.
    func draw(
        onto canvas: Canvas, below above: [PixelRect], in recorder: inout StepRecorder
    ) throws(GraphError) {
        let place = layer.rect.intersection(canvas.size.bounds)
        guard let base = layer.base, base.isLinear else {
            let covers = canvas.parts.map { part in
                !layer.record.look.isPlain || !place.isAligned(to: part.block, within: canvas.size) ? layer.cover : nil
            }
            let drawing = Drawing(chain: whole, rect: place, covers: covers)
            return try draw(drawing, onto: canvas, below: above, in: &recorder)
        }
        let covers: [PassContents.Cover?] = canvas.parts.map { _ in nil }
        var above = above
        if let rect = base.solid, let solid {
            let drawing = Drawing(chain: solid, rect: rect, covers: covers)
            try draw(drawing, onto: canvas, below: above, in: &recorder)
            // The solid part hides the base, which is not drawn there.
            above.insert(rect, at: 0)
        }
        let drawing = Drawing(chain: whole, rect: base.region, covers: covers, replaces: true)
        try draw(drawing, onto: canvas, below: above, in: &recorder)
    }

    private func draw(
        _ drawing: Drawing, onto canvas: Canvas, below above: [PixelRect], in recorder: inout StepRecorder
    ) throws(GraphError) {
        let (chain, covers) = (drawing.chain, drawing.covers)
        let visible = drawing.rect.intersection(canvas.region)
        guard !visible.isEmpty else { return }
        let grain = Canvas.grain(canvas.format, isPacked: canvas.isPacked)
        let rects = visible.parts(below: above, grain: grain)
        if rects.isEmpty { return }
        let isBlended = !drawing.replaces && (chain.segment.hasAlpha || covers.contains { $0 != nil })
        let effects = chain.segment.effects
        let name = layer.image.label + (effects.isEmpty ? "" : ": " + effects.joined(separator: ", "))
        for part in canvas.splitsRows && !isBlended ? [nil] : recorder.parts(of: canvas) {
            let cover = part.map { covers[$0] } ?? covers.first { $0 != nil } ?? nil
            var contents = PassContents(
                segment: chain.segment, positions: chain.positions, canvas: canvas, part: part, cover: cover,
                usesChromaGrid: chain.usesChromaGrid)
            contents.replaces = drawing.replaces
            try recorder.draw(contents, label: canvas.prefix(ofPart: part) + name, rects: rects)
        }
    }

    /// Draws the layer's shadow, unless the pass that blends the layer in linear light draws the shadow, too.
    func drawShadow(onto canvas: Canvas, in recorder: inout StepRecorder) throws(GraphError) {
        let look = layer.record.look
        guard layer.base?.isLinear != true, let shadow = look.shadow, let rect = layer.shadowRect else { return }
        let bounds = rect.insetBy(-Int(shadow.blur.rounded(.up))).intersection(canvas.region)
            .intersection(canvas.size.bounds)
        guard !bounds.isEmpty else { return }
        let cover = PassContents.Cover(
            rect: rect, cornerRadius: look.cornerRadius, opacity: shadow.opacity * look.opacity,
            shadowBlur: shadow.blur)
        for part in recorder.parts(of: canvas) {
            var contents = PassContents(
                segment: whole.segment, positions: whole.positions, canvas: canvas, part: part, cover: cover,
                usesChromaGrid: false)
            contents.solid = .black
            let label = canvas.prefix(ofPart: part) + "shadow of \(layer.image.label)"
            try recorder.draw(contents, label: label, rects: [bounds])
        }
    }
}

extension PixelRect {
    /// The parts of the rectangle that no rectangle above hides: at most eight, which may overlap hidden parts.
    ///
    /// `grain`: The block of pixels to which hidden parts are aligned.
    fileprivate func parts(below above: [PixelRect], grain: PixelSize) -> [PixelRect] {
        var parts = [self]
        for cover in above {
            let hidden = cover.alignedInward(toWidth: grain.width, height: grain.height)
            if hidden.isEmpty { continue }
            let remaining = parts.flatMap { $0.subtracting(hidden) }
            if remaining.count <= 8 { parts = remaining }
        }
        return parts
    }
}

extension Canvas {
    /// The beginning of a pass's label, such as `luma of `; empty for R'G'B' and for a pass that draws all parts.
    fileprivate func prefix(ofPart index: Int?) -> String {
        guard isYUV, let index else { return "" }
        let part = parts[index]
        if part.plane == 0 { return part.rowStep == 1 ? "luma of " : "luma (every other row) of " }
        return format.planeCount == 2 ? "chroma of " : part.plane == 1 ? "Cb of " : "Cr of "
    }
}
