internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A layer whose place is known, before its chain is drawn.
struct LayerPlan {
    var record: LayerRecord
    /// The picture of the layer: a source's frame or a nested canvas.
    var image: Image
    /// The layer's chain, without its leading crops.
    var links: [ChainLink]
    /// The layer's rectangle in canvas pixels, which may reach beyond the canvas.
    var rect: PixelRect
    /// The part of the picture that the layer shows, in the picture's final orientation.
    var visible: UnitRect
    /// The size of the picture that is placed, upright.
    let content: PixelSize
    /// The place at which a later motion begins: without the way over an edge of the canvas.
    let shownPlace: LayerMotion.ShownPlace
    /// The turns of the chain, the last one first.
    let turns: [Orientation]
    /// The stored part of the image that is the picture, in its samples.
    var crop: PixelRect
    /// The image's own orientation.
    var orientation: Orientation
    /// Canvas pixels for one pixel of the upright picture.
    var scale: Double
    /// The sources that blends of the chain show, without the image's sources.
    var blendedSources: [NodeID] = []
    /// The picture below, if the layer is blended with it.
    var base: BlendBase?
    /// True when the layer's effects may make it translucent.
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

    /// The shadow's rectangle, before blurring.
    var shadowRect: PixelRect? {
        record.look.shadow.map { shadow in
            PixelRect(x: rect.x, y: rect.y + Int(shadow.offset.rounded()), width: rect.width, height: rect.height)
        }
    }

    /// The region of the canvas that the layer may change.
    func bounds(on canvas: PixelSize) -> PixelRect {
        if let base, base.isLinear { return base.region }
        var bounds = rect
        if let shadow = record.look.shadow, let shadowRect {
            bounds = bounds.union(shadowRect.insetBy(-Int(shadow.blur.rounded(.up))))
        }
        return bounds.intersection(canvas.bounds)
    }

    /// True when the layer hides everything within its rectangle.
    var isOpaque: Bool {
        if let base, base.isLinear { return true }
        guard record.look.isOpaque else { return false }
        return record.blend != nil ? base != nil : image.alpha == .none && !changesAlpha
    }

    /// The rectangle in which the layers below are invisible once the layer's base is drawn; nil for none.
    var hidden: PixelRect? {
        guard isOpaque else { return nil }
        if let base, base.isLinear { return base.region }
        return rect
    }
}

extension LayerPlan {
    /// True when the result depends on the light: some pixels mix with pixels below, other than at an edge within a
    /// chroma sample.
    var mixesPixels: Bool {
        let look = record.look
        // A border of whole pixels has no soft edge.
        let hasSoftBorder = look.border.map { $0.width > 0 && $0.width != $0.width.rounded() } ?? false
        return record.blend != nil || !isOpaque || look.shadow != nil || hasSoftBorder
    }

    /// The part that hides the layers below, within rounded corners and a border; nil for none.
    ///
    /// `grain`: The block of pixels on which the part is aligned.
    func solid(grain: PixelSize) -> PixelRect? {
        let look = record.look
        guard record.blend == nil, image.alpha == .none, !changesAlpha, look.opacity >= 1 else { return nil }
        // The largest rectangle within the arcs of a rounded rectangle's corners, less half a pixel of their soft edge.
        let arc = look.cornerRadius > 0 ? look.cornerRadius * (1 - 0.5.squareRoot()) + 1 : 0
        let border = look.border.map { $0.width > 0 ? $0.width + look.cornerRadius * (1 - 0.5.squareRoot()) + 1 : 0 }
        let solid = rect.insetBy(Int(max(arc, border ?? 0).rounded(.up)))
            .alignedInward(toWidth: grain.width, height: grain.height)
        return solid.isEmpty ? nil : solid
    }

    /// The layer's shape, border and shadow, for a pass that blends in linear light.
    var linearLook: LinearLayer {
        let look = record.look
        var result = LinearLayer(rect: rect)
        (result.cornerRadius, result.opacity) = (look.cornerRadius, look.opacity)
        result.border = look.border.map { ($0.color, $0.width) }
        result.shadow = look.shadow.map { ($0.offset.rounded(), $0.blur, $0.opacity * look.opacity) }
        return result
    }

    /// The shape by which passes cover pixels.
    var cover: PassContents.Cover {
        PassContents.Cover(
            rect: rect, cornerRadius: record.look.cornerRadius, opacity: record.look.opacity, border: record.look.border
        )
    }

    /// True when each plane of the canvas needs all planes of the image, so that all planes are best drawn at once.
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

    /// True when the layer needs no blending: it is opaque, and its edges lie between texels.
    func needsNoBlending(on size: PixelSize, format: PixelFormat) -> Bool {
        if let base, base.isLinear { return true }
        let grain = Canvas.grain(format, isPacked: true)
        let inner = rect.intersection(size.bounds)
        let isAligned =
            inner.x % grain.width == 0 && inner.y % grain.height == 0
            && (inner.maxX % grain.width == 0 || inner.maxX == size.width)
            && (inner.maxY % grain.height == 0 || inner.maxY == size.height)
        return isOpaque && record.look.isPlain && isAligned
    }
}

extension LayerLook {
    /// True for a plain rectangle.
    var isPlain: Bool { opacity >= 1 && cornerRadius <= 0 && (border?.width ?? 0) <= 0 && shadow == nil }
}
