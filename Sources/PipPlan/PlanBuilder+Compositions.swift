internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A drawn composition: one canvas, or the rectangles that differ from a source's frame.
struct DrawnComposition {
    var size: PixelSize
    var colorimetry: Colorimetry
    var canvases: [Canvas]
    /// The layers that the CPU copies into the output, outside all canvases.
    var blits: [LayerBlit]
    /// The colour of the canvas where no layer lies, as values of the planes; nil where layers cover the whole canvas.
    var background: [UInt8]?
    var sources: [NodeID]
    /// True when the bottom layer's colours were Y'CbCr.
    var isYUVAtBottom: Bool
}

/// The canvas on which a consumer wants a composition drawn.
struct CanvasRequest {
    var size: PixelSize
    var format: PixelFormat
    /// The colorimetry of the canvas; nil takes the bottom layer's.
    var colorimetry: Colorimetry?
    /// True when the canvas is converted to 4:2:0 in the end.
    var isSubsampled: Bool
    /// True when the canvas is read back; false when it becomes a layer of another composition.
    var isFinal = false
    /// True when nothing but a read-back uses the canvas, so that the CPU may copy layers into the output.
    var allowsBlits = false
}

extension PlanBuilder {
    /// Draws a composition onto the canvas that its consumer requests.
    mutating func draw(
        _ composition: Composition, label: String, onto request: CanvasRequest
    ) throws(GraphError) -> DrawnComposition {
        let (size, format) = (request.size, request.format)
        try check(size, of: label)
        var layers = try layerPlans(
            of: composition, canvas: size, format: format, isSubsampled: request.isSubsampled)
        var canvas = Canvas(
            size: size, format: format,
            colorimetry: request.colorimetry ?? canvasColorimetry(layers, format: format), region: size.bounds,
            isPacked: true, isSubsampled: request.isSubsampled)
        removeHidden(&layers, on: size)
        try addBlendBases(&layers, of: composition, on: canvas)
        // A blended layer reads the layers below into its base, and then hides them.
        removeHidden(&layers, on: size)
        canvas.isPacked = canPack(layers, on: canvas)
        canvas.splitsRows = request.isFinal && canSplitRows(layers, on: canvas)
        var drawn = DrawnComposition(
            size: size, colorimetry: canvas.colorimetry, canvases: [], blits: [], sources: layers.flatMap(\.sources),
            isYUVAtBottom: layers.first?.image.wasYUV ?? false)
        if request.allowsBlits, input.fuses, let blitPlan = BlitPlan(layers, on: canvas, allowed: blitRange) {
            // The CPU draws straight into the output, and draws the whole of it if it draws anything.
            for region in executor == .cpu ? [size.bounds] : blitPlan.patches {
                var patch = canvas
                patch.region = region
                drawn.canvases.append(try addTextures(to: patch, label: "\(label) \(region)"))
            }
            try draw(blitPlan, over: composition.background, &drawn)
            return drawn
        }
        let isFloat =
            !input.fuses && !request.isFinal && request.isSubsampled && !format.isYUV
            && input.capabilities.hasFloatTargets
        canvas = try addTextures(to: canvas, label: label, texel: isFloat ? .rgba32f : .rgba8)
        drawn.canvases = [canvas]
        try draw(layers, over: composition.background, ontoWhole: canvas)
        return drawn
    }

    /// True when several samples may share a texel.
    ///
    /// That requires that no layer needs blending, unless the GPU can weigh each component.
    private func canPack(_ layers: [LayerPlan], on canvas: Canvas) -> Bool {
        executor == .gl
            && (input.capabilities.hasDualSourceBlending
                || layers.allSatisfy { $0.needsNoBlending(on: canvas.size, format: canvas.format) })
    }

    /// True when one pass should draw luma and chroma of 4×2 pixels at once, so that an image is not read twice.
    private func canSplitRows(_ layers: [LayerPlan], on canvas: Canvas) -> Bool {
        canvas.isPacked && canvas.isYUV
            && layers.contains {
                $0.needsNoBlending(on: canvas.size, format: canvas.format)
                    && $0.mixesPlanes(onto: canvas.format, colorimetry: canvas.colorimetry)
            }
    }

    /// Draws the layers that the CPU does not copy, onto the rectangles that they change.
    private mutating func draw(
        _ plan: BlitPlan, over background: Color, _ drawn: inout DrawnComposition
    ) throws(GraphError) {
        drawn.blits = plan.blits
        if plan.base == nil {
            if executor == .gl { for canvas in drawn.canvases { clear(canvas, to: background) } }
            let rgb = [background.red, background.green, background.blue]
            drawn.background = drawn.colorimetry.yCbCrFromRGB.applied(to: rgb).map {
                UInt8((min(max($0, 0), 1) * 255).rounded())
            }
        }
        try draw(plan.drawn, over: executor == .gl ? plan.base : nil, onto: drawn.canvases)
    }

    /// Draws layers onto a canvas that holds their whole composition.
    private mutating func draw(
        _ layers: [LayerPlan], over background: Color, ontoWhole canvas: Canvas
    ) throws(GraphError) {
        if let base = layers.first, input.fuses, canUpload(base, to: canvas) {
            upload(base, to: canvas)
            try draw(Array(layers.dropFirst()), over: nil, onto: [canvas])
        } else {
            let isCovered = layers.first?.hidden?.contains(canvas.size.bounds) ?? false
            if !isCovered { clear(canvas, to: background) }
            try draw(layers, over: nil, onto: [canvas])
        }
    }

    /// Computes the layers' places.
    ///
    /// Leaves out layers whose source has no frames.
    mutating func layerPlans(
        of composition: Composition, canvas: PixelSize, format: PixelFormat, isSubsampled: Bool
    ) throws(GraphError) -> [LayerPlan] {
        var layers: [LayerPlan] = []
        for record in composition.drawingOrder where record.look.opacity > 0 {
            var record = record
            let chain = graph.chain(endingAt: record.input)
            let cropped = CroppedChain(chain.links)
            let described: Image?
            var orientation = Orientation.identity
            if let picture = cropped.picture {
                described = try self.picture(of: picture, crop: record.placement.crop, isSubsampled: isSubsampled)
                record.placement.crop = nil
            } else if case .compositor = graph[chain.start] {
                described = try image(
                    ofCompositor: chain.start, isBare: chain.links.isEmpty, for: format, isSubsampled: isSubsampled)
            } else {
                described = describe(source: chain.start)
                orientation = input.sources[chain.start]?.orientation ?? .identity
            }
            guard let described else { continue }
            var layer = LayerPlan(
                record, image: described, chain: cropped, orientation: orientation, canvas: canvas)
            layer.blendedSources = graph.sources(blendedBy: cropped.links)
            guard !layer.crop.isEmpty && !layer.bounds(on: canvas).isEmpty else { continue }
            layers.append(layer)
            guard handledLayers.contains(record.id) else { continue }
            plan.layers[record.id] = PlacedLayer(
                layer, origin: cropped.picture ?? chain.start, canvas: canvas, depth: layers.count,
                isPartOfChain: cropped.picture != nil)
        }
        return layers
    }

    /// Draws a compositor's picture for a layer; nil while none of its sources has frames.
    ///
    /// `isBare`: True when no chain changes the picture, which may then be Y'CbCr.
    private mutating func image(
        ofCompositor id: NodeID, isBare: Bool, for format: PixelFormat, isSubsampled: Bool
    ) throws(GraphError) -> Image? {
        guard case .compositor(let composition)? = graph[id] else { return nil }
        let isClear = composition.background.alpha < 1
        let format = isBare && format.isYUV && input.fuses && !isClear ? format : .rgba
        let key = CanvasKey(node: id, format: format, isSubsampled: isSubsampled)
        if let image = canvasImages[key] { return image }
        let label = graph.label(of: id)
        let size = try canvasSize(of: composition, label: label)
        let drawn = try draw(
            composition, label: label,
            onto: CanvasRequest(size: size, format: format, isSubsampled: isSubsampled))
        guard var image = drawn.canvases.first?.image else { return nil }
        image.sources = drawn.sources
        if isClear { image.alpha = .premultiplied }
        image.label = label
        image.wasYUV = drawn.isYUVAtBottom
        canvasImages[key] = image
        return image
    }

    private func canvasColorimetry(_ layers: [LayerPlan], format: PixelFormat) -> Colorimetry {
        guard let bottom = layers.first?.image else { return .bt709 }
        return bottom.wasYUV || !format.isYUV ? bottom.colorimetry : .bt709
    }

    /// Removes the layers that an opaque layer above hides completely.
    private func removeHidden(_ layers: inout [LayerPlan], on size: PixelSize) {
        var kept: [LayerPlan] = []
        for layer in layers.reversed() {
            let bounds = layer.bounds(on: size)
            if !kept.contains(where: { $0.hidden?.contains(bounds) ?? false }) { kept.append(layer) }
        }
        layers = kept.reversed()
    }
}

extension PlanBuilder {
    /// Draws the pictures below blended layers before the layers themselves.
    ///
    /// In linear light, every layer whose pixels mix with pixels below needs such a base. `canvas` is the canvas on
    /// which the layers are drawn in the end.
    mutating func addBlendBases(
        _ layers: inout [LayerPlan], of composition: Composition, on canvas: Canvas
    ) throws(GraphError) {
        let isLinear = composition.light == .linear
        let isClear = !canvas.isYUV && composition.background.alpha < 1
        let grain = Canvas.grain(canvas.format, isPacked: true)
        for index in layers.indices {
            let layer = layers[index]
            guard isLinear ? layer.mixesPixels : layer.record.blend != nil else { continue }
            var region = layer.rect.intersection(canvas.size.bounds)
            if isLinear {
                region = layer.bounds(on: canvas.size).alignedOutward(toWidth: grain.width, height: grain.height)
                    .intersection(canvas.size.bounds)
            }
            if region.isEmpty { continue }
            let target = try addTextures(
                to: Canvas(
                    size: canvas.size, format: .rgba, colorimetry: canvas.colorimetry, region: region,
                    isPacked: false, isSubsampled: isLinear && canvas.isSubsampled),
                label: "below \(layer.image.label)")
            var below = Array(layers[..<index])
            if isLinear { below.removeAll { $0.bounds(on: canvas.size).intersection(region).isEmpty } }
            let isCovered = below.contains { $0.hidden?.contains(region) ?? false }
            if !isCovered {
                var background = composition.background
                if isLinear && !isClear { background.alpha = 1 }
                clear(target, to: background)
            }
            // A solid part of less than half the region is not worth a pass of its own.
            var solid = isLinear ? layer.solid(grain: grain)?.intersection(region) : nil
            if let part = solid, 2 * part.size.area < region.size.area { solid = nil }
            try draw(below, over: nil, onto: [target], around: solid)
            var image = target.image
            image.size = region.size
            image.sources = below.flatMap(\.sources)
            if isLinear && isClear { image.alpha = .premultiplied }
            layers[index].base = BlendBase(image: image, region: region, isLinear: isLinear, solid: solid)
        }
    }
}

extension PlanBuilder {
    /// Draws the picture of a node at a size, with alpha; nil while no source of the node has frames.
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
            whole, label: label,
            onto: CanvasRequest(size: size, format: .rgba, colorimetry: colorimetry, isSubsampled: false))
        guard !drawn.sources.isEmpty, var image = drawn.canvases.first?.image else { return nil }
        image.alpha = .premultiplied
        image.sources = drawn.sources
        image.label = label
        pictures[key] = image
        return image
    }

    /// Draws a node's picture at its full size, for a crop behind effects that read beyond the crop.
    ///
    /// `crop`: The part of the source that forms the picture; nil takes all.
    mutating func picture(of id: NodeID, crop: PixelRect?, isSubsampled: Bool) throws(GraphError) -> Image? {
        let key = CanvasKey(node: id, format: .rgba, isSubsampled: isSubsampled)
        if crop == nil, let image = canvasImages[key] { return image }
        let chain = graph.chain(endingAt: id)
        if input.sources[chain.start] == nil, case .source? = graph[chain.start] { return nil }
        var record = LayerRecord(id)
        record.placement.crop = crop
        var background = Color.black
        background.alpha = 0
        let whole = Composition(canvas: nil, background: background, layers: [record])
        let label = graph.label(of: id)
        let size = try canvasSize(of: whole, label: label)
        let drawn = try draw(
            whole, label: label, onto: CanvasRequest(size: size, format: .rgba, isSubsampled: isSubsampled))
        guard var image = drawn.canvases.first?.image else { return nil }
        let context = EffectContext(matrix: drawn.colorimetry.matrix, scale: 1, size: size)
        let isOpaque =
            input.sources[chain.start]?.layout.format.hasAlpha == false
            && !chain.links.contains { $0.operation(in: context).traits.changesAlpha }
        image.alpha = isOpaque ? .none : .premultiplied
        (image.sources, image.label, image.wasYUV) = (drawn.sources, label, drawn.isYUVAtBottom)
        if crop == nil { canvasImages[key] = image }
        return image
    }
}
