internal import PipEffects
internal import PipFrames
public import PipGraph

/// Turns a graph into a plan: what to upload, draw and read back, in which size and format.
///
/// A pure function: it needs no GPU, and equal inputs give equal plans. Thread-safe.
public enum Planner {
    /// Plans a graph.
    ///
    /// - Throws: ``GraphError`` when the graph is not complete, runs in a circle, or is too large to draw.
    public static func plan(_ input: PlanInput) throws(GraphError) -> RenderPlan {
        try input.graph.validate()
        var input = input
        let drawn = input.graph.reduced(to: input.effectQuality).drawn(at: input.time)
        input.graph = drawn.graph
        var plan = try cheapestPlan(input)
        plan.validUntil = drawn.until
        return plan
    }

    /// Of the plans that draw the same picture the one that takes the least time.
    private static func cheapestPlan(_ input: PlanInput) throws(GraphError) -> RenderPlan {
        let weights = input.capabilities.workWeights
        let readsFramesQuickly = input.capabilities.renderer.readsFramesQuickly
        var cheapest = try plan(input, copying: readsFramesQuickly ? .derived : .untouched)
        guard cheapest.copiesLayers else { return cheapest }
        for copying in readsFramesQuickly ? [CopyRange.untouched, .nothing] : [.nothing] {
            let plan = try plan(input, copying: copying)
            if plan.time(by: weights) < cheapest.time(by: weights) { cheapest = plan }
        }
        return cheapest
    }

    /// Plans a graph that is drawn as it is.
    private static func plan(_ input: PlanInput, copying: CopyRange) throws(GraphError) -> RenderPlan {
        var builder = PlanBuilder(input, copying: copying)
        builder.plan.stills = Set(input.sources.filter(\.value.isStill).keys)
        var wanted: [OutputWish] = []
        for sink in input.graph.sinks {
            guard let request = input.sinks[sink], let root = input.graph.inputs(of: sink).first else { continue }
            if let index = wanted.firstIndex(where: { $0.root == root && $0.request == request }) {
                wanted[index].sinks.append(sink)
            } else {
                wanted.append(OutputWish(root: root, request: request, sinks: [sink]))
            }
        }
        for wish in wanted { try builder.addOutput(wish, among: wanted) }
        builder.plan.shareUploads(of: input.sources, input.capabilities)
        return builder.plan
    }
}

/// Frames that one or more sinks want of a node.
struct OutputWish {
    var root: NodeID
    var request: SinkRequest
    var sinks: [NodeID]
}

extension PlanBuilder {
    /// Plans what a node gives, in the format that sinks ask for.
    mutating func addOutput(_ wish: OutputWish, among wishes: [OutputWish]) throws(GraphError) {
        let request = wish.request
        if let measurement = request.measurement { return try addMeasurement(measurement, wish) }
        let chain = graph.chain(endingAt: wish.root)
        if case .compositor(let composition)? = graph[chain.start], chain.links.isEmpty {
            let size = try canvasSize(of: composition, label: graph.label(of: chain.start))
            let others = wishes.filter { $0.root == wish.root && $0.request != request }
            // With effects that need RGB, one canvas for all formats is cheaper than one for each.
            let sharesCanvas = request.format.isYUV && !others.isEmpty && needsRGB(composition)
            if input.fuses && (request.size ?? size) == size && !sharesCanvas {
                let drawn = try draw(
                    composition, label: graph.label(of: chain.start), size: size, format: request.format,
                    colorimetry: request.colorimetry, isSubsampled: request.format.isYUV, isFinal: true,
                    allowsCopy: consumers(of: chain.start) == wish.sinks.count)
                addOutput(drawn, wish: wish)
                return
            }
        }
        let whole = Composition(canvas: request.size, background: .black, layers: [LayerRecord(wish.root)])
        let size = try canvasSize(of: whole, label: graph.label(of: wish.root))
        let drawn = try draw(
            whole, label: graph.label(of: wish.root), size: size, format: request.format,
            colorimetry: request.colorimetry, isSubsampled: request.format.isYUV, isFinal: true,
            allowsCopy: input.fuses)
        addOutput(drawn, wish: wish)
    }

    mutating func addOutput(_ drawn: DrawnComposition, wish: OutputWish) {
        let format = wish.request.format
        // Rows as wide as the textures' texels, so that each plane is read back in one go.
        let grain = format.isYUV ? (format.family == .planar ? 8 : 4) : 1
        let stride = drawn.size.width.roundedUp(to: grain) * format.bytesPerColumn(ofPlane: 0)
        let layout = FrameLayout(format, drawn.size, stride: stride)
        var output = Output(
            layout: layout, colorimetry: drawn.colorimetry, sinks: wish.sinks, copies: [], readbacks: [],
            sources: drawn.sources)
        output.copies = drawn.copies.flatMap { $0.planeCopies(of: layout) }
        output.background = drawn.background
        for canvas in drawn.canvases {
            for (part, texture) in zip(canvas.parts, canvas.textures) {
                let planned = plan.textures[texture]
                let bytes = planned.format.bytesPerTexel
                var region = planned.size.bounds
                let firstRow = canvas.region.y / part.block.height * part.rowStep + part.firstRow
                let rows = layout.planes[part.plane].dimensions.height
                region.height = min(region.height, (rows - firstRow).dividedUp(by: part.rowStep))
                if region.isEmpty { continue }
                output.readbacks.append(
                    Readback(
                        texture: texture, region: region, plane: part.plane,
                        offset: firstRow * layout.planes[part.plane].strideInBytes
                            + canvas.region.x / part.block.width * bytes,
                        rowStep: part.rowStep, bytesPerTexel: bytes))
            }
        }
        plan.outputs.append(output)
    }

    /// How many nodes take frames from a node.
    private func consumers(of id: NodeID) -> Int {
        graph.order.reduce(0) { count, node in count + graph.inputs(of: node).filter { $0 == id }.count }
    }

    /// Whether some layer's chain cannot be drawn on Y'CbCr planes apart.
    private func needsRGB(_ composition: Composition) -> Bool {
        composition.drawingOrder.contains { layer in
            graph.chain(endingAt: layer.input).links.contains { !$0.traits.keepsPlanesApart }
        }
    }

    /// The size of a canvas: as given, or the bottom layer's.
    func canvasSize(of composition: Composition, label: String) throws(GraphError) -> PixelSize {
        if let canvas = composition.canvas { return canvas }
        for layer in composition.drawingOrder {
            if let size = try uprightSize(of: layer.input, crop: layer.placement.crop) {
                return layer.placement.orientation.size(of: size)
            }
        }
        // Nothing is there yet: a picture of the usual size, until something is.
        return .hd720
    }

    /// The size of what a node gives, upright; nil while its source has no frames.
    ///
    /// `crop`: The samples of the source that are the picture; nil takes all.
    private func uprightSize(of id: NodeID, crop: PixelRect?) throws(GraphError) -> PixelSize? {
        let chain = graph.chain(endingAt: id)
        var size: PixelSize?
        if case .compositor(let composition)? = graph[chain.start] {
            size = try canvasSize(of: composition, label: graph.label(of: chain.start))
        } else {
            size = input.sources[chain.start].map { $0.orientation.size(of: $0.layout.size) }
        }
        guard var size else { return nil }
        if let crop { size = crop.intersection(size.bounds).size }
        for link in chain.links {
            if let part = UnitRect(croppedBy: link) {
                size = part.part(of: size.bounds).size
            } else if case .turned(let orientation) = link.traits.framing {
                size = orientation.size(of: size)
            }
        }
        return size
    }
}
