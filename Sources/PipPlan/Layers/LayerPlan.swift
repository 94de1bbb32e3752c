internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A layer with its place on the canvas, before its chain is drawn.
struct LayerPlan {
    var record: LayerRecord
    /// The picture of the layer: a source's frame, a nested canvas, or the drawn picture that the chain's last crop
    /// cuts.
    var image: Image
    /// The links of the layer's chain after its last crop; all links without a crop.
    var links: [ChainLink]
    /// The layer's rectangle in canvas pixels, which may reach beyond the canvas.
    var rect: PixelRect
    /// The part of the picture that the layer shows, in the picture's final orientation, as shares of its size.
    var visible: UnitRect
    /// The size of the upright picture that is placed, in pixels.
    let content: PixelSize
    /// The place from which a later motion of the layer starts.
    ///
    /// A slide over an edge of the canvas is left out.
    let shownPlace: LayerMotion.ShownPlace
    /// The rotations in the chain, the last one first.
    let turns: [Orientation]
    /// The part of the image that the layer's picture consists of, in samples of the stored image.
    var crop: PixelRect
    /// The rotation and mirroring that show the stored image upright.
    var orientation: Orientation
    /// The ratio of the layer's width to the width of the shown part of the upright picture.
    var scale: Double
    /// The sources that the chain's blends show, without the image's own sources.
    var blendedSources: [NodeID] = []
    /// The picture below the layer, if the layer is blended with it; else nil.
    var base: BlendBase?
    /// True when the chain's effects may make pixels translucent.
    private let changesAlpha: Bool

    /// - Parameters:
    ///   - record: The layer in the graph.
    ///   - image: The image that the layer shows.
    ///   - chain: The crops of the upright image, applied in order, and the effects that follow.
    ///   - orientation: The transform that shows the image upright.
    ///   - canvas: The canvas's size.
    init(
        _ record: LayerRecord, image: Image, chain: CroppedChain, orientation: Orientation, canvas: PixelSize
    ) {
        let crops = chain.crops
        self.record = record
        self.image = image
        links = chain.links
        self.orientation = orientation
        let (place, content) = LayerMotion.ShownPlace.of(
            record.placement, image: image.size, crops: crops, orientation: orientation, canvas: canvas)
        self.content = content
        var drawn = place
        if let motion = record.motion {
            if let origin = motion.origin, motion.progress < 1 {
                let start: LayerMotion.ShownPlace =
                    switch origin {
                    case .shown(let place): place
                    case .placement(let placement):
                        .of(placement, image: image.size, crops: crops, orientation: orientation, canvas: canvas).place
                    }
                drawn = start.moved(to: place, by: motion.progress, in: image.size)
            }
            shownPlace = drawn
            drawn.rect = motion.displaced(drawn.rect, record.look, on: canvas)
        } else {
            shownPlace = place
        }
        let rect = drawn.rect
        (self.rect, crop) = (rect, drawn.crop)
        visible = UnitRect(
            x: drawn.visible.x, y: drawn.visible.y, width: drawn.visible.width, height: drawn.visible.height)
        let shown = visible.width * Double(drawn.orientation.size(of: drawn.crop.size).width)
        let scale = Double(rect.width) / max(shown, 1e-9)
        self.scale = scale
        let context = EffectContext(matrix: image.colorimetry.matrix, scale: scale, size: rect.size)
        let operations = chain.links.map { $0.operation(in: context) }
        changesAlpha = operations.contains { $0.traits.changesAlpha }
        turns = operations.reversed().compactMap { if case .orientation(let turn) = $0 { turn } else { nil } }
    }

    /// The sources that the layer shows, including the sources of blended pictures.
    var sources: [NodeID] { image.sources + blendedSources + (base?.image.sources ?? []) }

    /// The map from positions in the upright picture (0…1) to samples of the image.
    var place: Mapping {
        Mapping(orientation).then(.scale(Double(crop.width), Double(crop.height)))
            .then(.translation(Double(crop.x), Double(crop.y)))
    }

    /// The map from canvas pixels to positions in the picture's final orientation.
    var positions: Mapping {
        Mapping.translation(-Double(rect.x), -Double(rect.y)).then(visible.fromPixels(of: rect.size))
    }

    /// The rectangle of the shadow before it is blurred, in canvas pixels; nil without a shadow.
    var shadowRect: PixelRect? {
        record.look.shadow.map { shadow in
            PixelRect(x: rect.x, y: rect.y + Int(shadow.offset.rounded()), width: rect.width, height: rect.height)
        }
    }

    /// The region of the canvas that the layer may change, in canvas pixels.
    func bounds(on canvas: PixelSize) -> PixelRect {
        if let base, base.isLinear { return base.region }
        var bounds = rect
        if let shadow = record.look.shadow, let shadowRect {
            bounds = bounds.union(shadowRect.insetBy(-Int(shadow.blur.rounded(.up))))
        }
        return bounds.intersection(canvas.bounds)
    }

    /// True when the layer hides everything within its rectangle, or its pass replaces the whole region of ``base``.
    var isOpaque: Bool {
        if let base, base.isLinear { return true }
        guard record.look.isOpaque else { return false }
        return record.blend != nil ? base != nil : image.alpha == .none && !changesAlpha
    }

    /// The rectangle in which the layer hides the layers below, once its base has been drawn; nil for none.
    var hidden: PixelRect? {
        guard isOpaque else { return nil }
        if let base, base.isLinear { return base.region }
        return rect
    }
}

extension LayerPlan {
    /// True when some pixels are mixed with pixels below, so that the compositor's light changes the result.
    ///
    /// Soft edges within a chroma sample do not count.
    var mixesPixels: Bool {
        let look = record.look
        // A border whose width is a whole number of pixels has no soft edge.
        let hasSoftBorder = look.border.map { $0.width > 0 && $0.width != $0.width.rounded() } ?? false
        return record.blend != nil || !isOpaque || look.shadow != nil || hasSoftBorder
    }

    /// The largest part within rounded corners and border that hides the layers below; nil for none.
    ///
    /// `grain`: The block of pixels to which the part is aligned.
    func solid(grain: PixelSize) -> PixelRect? {
        let look = record.look
        guard record.blend == nil, image.alpha == .none, !changesAlpha, look.opacity >= 1 else { return nil }
        // The largest rectangle inside the arcs of rounded corners, less half a pixel of the arcs' soft edge.
        let arc = look.cornerRadius > 0 ? look.cornerRadius * (1 - 0.5.squareRoot()) + 1 : 0
        let border = look.border.map { $0.width > 0 ? $0.width + look.cornerRadius * (1 - 0.5.squareRoot()) + 1 : 0 }
        let solid = rect.insetBy(Int(max(arc, border ?? 0).rounded(.up)))
            .alignedInward(toWidth: grain.width, height: grain.height)
        return solid.isEmpty ? nil : solid
    }

    /// The layer's shape, border and shadow, as a pass that blends in linear light draws them.
    var linearLook: LinearLayer {
        let look = record.look
        var result = LinearLayer(rect: rect)
        (result.cornerRadius, result.opacity) = (look.cornerRadius, look.opacity)
        result.border = look.border.map { ($0.color, $0.width) }
        result.shadow = look.shadow.map { ($0.offset.rounded(), $0.blur, $0.opacity * look.opacity) }
        return result
    }

    /// The shape that limits the pixels a pass covers.
    var cover: PassContents.Cover {
        PassContents.Cover(
            rect: rect, cornerRadius: record.look.cornerRadius, opacity: record.look.opacity, border: record.look.border
        )
    }

    /// True when each plane of the canvas needs all planes of the image, so that one pass should draw all planes.
    func mixesPlanes(onto format: PixelFormat, colorimetry: Colorimetry) -> Bool {
        guard image.format.isYUV, format.isYUV, image.alpha == .none, record.blend == nil, base == nil else {
            return true
        }
        var transform = image.colorimetry.rgbFromYCbCr
        let steps = steps(onto: colorimetry)
        let isUpright = orientation == .identity && steps.allSatisfy { $0.turned == .identity }
        for step in steps {
            switch step.operation.traits.planeForm {
            case .identity: continue
            case .affine(let next): transform = transform.then(next)
            case .filter:
                guard isUpright, step.planes != nil else { return true }
            case nil: return true
            }
        }
        return !transform.then(colorimetry.yCbCrFromRGB).keepsLumaAndChromaApart
    }

    /// True when the layer needs no blending by the target: its pass blends in linear light itself, or the layer is an
    /// opaque, plain rectangle whose edges divide no texel.
    func needsNoBlending(on size: PixelSize, format: PixelFormat) -> Bool {
        if let base, base.isLinear { return true }
        let grain = Canvas.grain(format, isPacked: true)
        return isOpaque && record.look.isPlain && rect.intersection(size.bounds).isAligned(to: grain, within: size)
    }
}

extension LayerLook {
    /// True for an opaque rectangle with square corners, without border and shadow.
    var isPlain: Bool { opacity >= 1 && cornerRadius <= 0 && (border?.width ?? 0) <= 0 && shadow == nil }
}

extension [LayerPlan] {
    /// Removes the layers that an opaque layer above hides completely.
    mutating func removeHidden(on size: PixelSize) {
        var kept: [LayerPlan] = []
        for layer in reversed() {
            let bounds = layer.bounds(on: size)
            if !kept.contains(where: { $0.hidden?.contains(bounds) ?? false }) { kept.append(layer) }
        }
        self = kept.reversed()
    }

    /// The colorimetry of a canvas whose consumer requests none: the bottom layer's, or BT.709.
    ///
    /// BT.709 is taken without a layer, and where an R'G'B' picture is at the bottom of a Y'CbCr canvas.
    func canvasColorimetry(_ format: PixelFormat) -> Colorimetry {
        guard let bottom = first?.image else { return .bt709 }
        return bottom.wasYUV || !format.isYUV ? bottom.colorimetry : .bt709
    }

    /// True when one pass should draw luma and chroma of 4×2 pixels at once, so that an image is not read twice.
    func canSplitRows(on canvas: Canvas) -> Bool {
        canvas.isPacked && canvas.format.chromaSubsampling == (2, 2)
            && contains {
                $0.needsNoBlending(on: canvas.size, format: canvas.format)
                    && $0.mixesPlanes(onto: canvas.format, colorimetry: canvas.colorimetry)
            }
    }
}
