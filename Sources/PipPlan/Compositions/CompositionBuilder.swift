internal import PipEffects
internal import PipFrames
internal import PipGraph

/// A drawn composition: one canvas, or rectangles that are drawn beside the layers that the CPU copies.
struct DrawnComposition {
    var size: PixelSize
    var colorimetry: Colorimetry
    var canvases: [Canvas]
    /// The layers that the CPU copies into the output, before the canvases are drawn into it or read back.
    var blits: [LayerBlit]
    /// The values of Y', Cb and Cr that fill an output around the layers that the CPU copies.
    ///
    /// Nil when the bottom layer covers the output, or the CPU copies no layer.
    var background: [UInt8]?
    var sources: [NodeID]
    /// True when the bottom layer's colours were Y'CbCr.
    var isYUVAtBottom: Bool
}

/// The canvas on which a consumer wants a composition drawn.
struct CanvasRequest {
    var size: PixelSize
    var format: PixelFormat
    /// The colorimetry of the canvas; nil to keep that of the bottom layer where the canvas can.
    var colorimetry: Colorimetry?
    /// True when the canvas is converted to 4:2:0 in the end.
    var isSubsampled: Bool
    /// True when the canvas becomes an output; false when it becomes a picture that layers or blends read.
    var isFinal = false
    /// True when nothing but an output uses the canvas, so that the CPU may copy layers into the output.
    var allowsBlits = false
}

/// Plans the drawing of compositions, and keeps the pictures that several consumers read.
struct CompositionBuilder {
    let blitRange: BlitRange
    var recorder: StepRecorder
    /// The places of visible layers that have handles, keyed by layer.
    private(set) var placedLayers: [NodeID: PlacedLayer] = [:]
    /// The layers of the graph that have handles, unlike the layers of intermediate canvases.
    private let handledLayers: Set<NodeID>
    private var pictures: [NodePicture.Key: Image] = [:]
    /// The results of branches, which steps of one node share.
    var branches: [BranchKey: SecondPicture] = [:]

    init(_ recorder: StepRecorder, blitRange: BlitRange) {
        self.recorder = recorder
        self.blitRange = blitRange
        let graph = recorder.input.graph
        let layers = graph.order.map { id -> [LayerRecord] in
            if case .compositor(let composition)? = graph[id] { composition.layers } else { [] }
        }
        handledLayers = Set(layers.joined().map(\.id))
    }

    var input: PlanInput { recorder.input }

    /// Draws a composition onto the canvas that its consumer requests.
    mutating func draw(
        _ composition: Composition, label: String, onto request: CanvasRequest
    ) throws(GraphError) -> DrawnComposition {
        let (size, format) = (request.size, request.format)
        try recorder.check(size, of: label)
        var layers = try layerPlans(of: composition, on: request)
        var canvas = Canvas(
            size: size, format: format, colorimetry: request.colorimetry ?? layers.canvasColorimetry(format),
            region: size.bounds, isPacked: true, isSubsampled: request.isSubsampled)
        layers.removeHidden(on: size)
        try addBlendBases(&layers, of: composition, on: canvas)
        // A blended layer reads the layers below into its base, and then hides them.
        layers.removeHidden(on: size)
        canvas.isPacked = canPack(layers, on: canvas)
        canvas.splitsRows = request.isFinal && layers.canSplitRows(on: canvas)
        var drawn = DrawnComposition(
            size: size, colorimetry: canvas.colorimetry, canvases: [], blits: [], sources: layers.flatMap(\.sources),
            isYUVAtBottom: layers.first?.image.wasYUV ?? false)
        if request.allowsBlits, input.fuses, let blitPlan = BlitPlan(layers, on: canvas, allowed: blitRange) {
            // The CPU draws straight into the output, so the CPU's canvas is the whole output.
            for region in recorder.executor == .cpu ? [size.bounds] : blitPlan.patches {
                var patch = canvas
                patch.region = region
                drawn.canvases.append(try recorder.addTextures(to: patch, label: "\(label) \(region)"))
            }
            try draw(blitPlan, over: composition.background, &drawn)
            return drawn
        }
        let isFloat =
            !input.fuses && !request.isFinal && request.isSubsampled && !format.isYUV
            && input.capabilities.hasFloatTargets
        canvas = try recorder.addTextures(to: canvas, label: label, texel: isFloat ? .rgba32f : .rgba8)
        drawn.canvases = [canvas]
        try draw(layers, over: composition.background, ontoWhole: canvas)
        return drawn
    }

    /// True when several samples may share a texel.
    ///
    /// Sharing requires OpenGL ES, and that no layer needs blending, unless the GPU can weigh each component.
    private func canPack(_ layers: [LayerPlan], on canvas: Canvas) -> Bool {
        recorder.executor == .gl
            && (input.capabilities.hasDualSourceBlending
                || layers.allSatisfy { $0.needsNoBlending(on: canvas.size, format: canvas.format) })
    }

    /// Draws the layers that the CPU does not copy, onto the rectangles that they change.
    private mutating func draw(
        _ plan: BlitPlan, over background: Color, _ drawn: inout DrawnComposition
    ) throws(GraphError) {
        drawn.blits = plan.blits
        let isGL = recorder.executor == .gl
        if plan.base == nil {
            if isGL { for canvas in drawn.canvases { recorder.clear(canvas, to: background) } }
            let rgb = [background.red, background.green, background.blue]
            drawn.background = drawn.colorimetry.yCbCrFromRGB.applied(to: rgb).map {
                UInt8((min(max($0, 0), 1) * 255).rounded())
            }
        }
        try draw(plan.drawn, over: isGL ? plan.base : nil, onto: drawn.canvases)
    }

    /// Draws layers onto a canvas that holds their whole composition.
    private mutating func draw(
        _ layers: [LayerPlan], over background: Color, ontoWhole canvas: Canvas
    ) throws(GraphError) {
        if let base = layers.first, input.fuses, recorder.upload(base, to: canvas) {
            try draw(Array(layers.dropFirst()), over: nil, onto: [canvas])
        } else {
            let isCovered = layers.first?.hidden?.contains(canvas.size.bounds) ?? false
            if !isCovered { recorder.clear(canvas, to: background) }
            try draw(layers, over: nil, onto: [canvas])
        }
    }

    /// Computes the places of a composition's layers, without invisible layers and those whose source has no frames.
    mutating func layerPlans(
        of composition: Composition, on canvas: CanvasRequest
    ) throws(GraphError) -> [LayerPlan] {
        let graph = input.graph
        var layers: [LayerPlan] = []
        for record in composition.drawingOrder where record.look.opacity > 0 {
            var record = record
            let chain = graph.chain(endingAt: record.input)
            let cropped = CroppedChain(chain.links)
            let described: Image?
            var orientation = Orientation.identity
            if let node = cropped.picture {
                let crop = record.placement.crop
                described = try image(
                    of: NodePicture(uncropped: node, crop: crop, isSubsampled: canvas.isSubsampled, in: input))
                record.placement.crop = nil
            } else if case .compositor(let nested)? = graph[chain.start] {
                let isBare = chain.links.isEmpty
                described = try image(
                    of: NodePicture(compositor: chain.start, nested, isBare: isBare, for: canvas, in: input))
            } else {
                described = input.image(ofSource: chain.start)
                orientation = input.sources[chain.start]?.orientation ?? .identity
            }
            guard let described else { continue }
            var layer = LayerPlan(
                record, image: described, chain: cropped, orientation: orientation, canvas: canvas.size)
            layer.blendedSources = graph.sources(blendedBy: cropped.links)
            guard !layer.crop.isEmpty && !layer.bounds(on: canvas.size).isEmpty else { continue }
            layers.append(layer)
            guard handledLayers.contains(record.id) else { continue }
            placedLayers[record.id] = PlacedLayer(
                layer, origin: cropped.picture ?? chain.start, canvas: canvas.size, depth: layers.count,
                isPartOfChain: cropped.picture != nil)
        }
        return layers
    }

    /// Draws a node's picture, once for all consumers of equal pictures; nil while there is no picture.
    mutating func image(of picture: NodePicture?) throws(GraphError) -> Image? {
        guard let picture else { return nil }
        if let key = picture.key, let image = pictures[key] { return image }
        let drawn = try draw(picture.composition, label: picture.label, onto: picture.canvas)
        guard let image = picture.image(drawn) else { return nil }
        if let key = picture.key { pictures[key] = image }
        return image
    }

    /// Draws the pictures below blended layers before the layers themselves.
    ///
    /// `canvas` is the canvas on which the layers are drawn in the end.
    private mutating func addBlendBases(
        _ layers: inout [LayerPlan], of composition: Composition, on canvas: Canvas
    ) throws(GraphError) {
        for index in layers.indices {
            guard let base = BlendBase.Request(for: index, of: layers, in: composition, on: canvas) else { continue }
            let target = try recorder.addTextures(
                to: Canvas(
                    size: canvas.size, format: .rgba, colorimetry: canvas.colorimetry, region: base.region,
                    isPacked: false, isSubsampled: base.isLinear && canvas.isSubsampled),
                label: "below \(layers[index].image.label)")
            if let background = base.background { recorder.clear(target, to: background) }
            try draw(base.below, over: nil, onto: [target], around: base.solid)
            layers[index].base = BlendBase(base, drawnInto: target)
        }
    }

    /// Draws layers onto canvases: a whole canvas, or rectangles of an output whose other parts the CPU copies.
    ///
    /// `base`: The bottom layer, drawn first in the rectangles and copied elsewhere; nil for none. `hole`: A rectangle
    /// that need not be drawn; nil for none.
    private mutating func draw(
        _ layers: [LayerPlan], over base: LayerPlan?, onto canvases: [Canvas], around hole: PixelRect? = nil
    ) throws(GraphError) {
        guard let first = canvases.first else { return }
        if let base {
            for canvas in canvases where !layers.contains(where: { $0.hidden?.contains(canvas.region) ?? false }) {
                if recorder.upload(base, to: canvas) { continue }
                try planned(base, on: canvas).draw(onto: canvas, below: [], in: &recorder)
            }
        }
        for (index, layer) in layers.enumerated() {
            let above = layers.dropFirst(index + 1).compactMap(\.hidden) + (hole.map { [$0] } ?? [])
            let planned = try planned(layer, on: first)
            for canvas in canvases {
                try planned.drawShadow(onto: canvas, in: &recorder)
                try planned.draw(onto: canvas, below: above, in: &recorder)
            }
        }
    }

    /// Plans a layer's chain, after uploading its source's frame.
    mutating func planned(_ layer: LayerPlan, on canvas: Canvas) throws(GraphError) -> PlannedLayer {
        var layer = layer
        if layer.image.textures.isEmpty, let source = layer.image.sources.first,
            let image = try recorder.image(ofSource: source)
        {
            layer.image = image
        }
        return try ChainBuilder.plan(layer, on: canvas, in: &self)
    }
}
