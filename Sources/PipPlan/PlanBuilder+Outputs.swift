internal import PipEffects
internal import PipFrames
internal import PipGraph

/// The frames that one or more sinks request from a node.
struct RequestedOutput {
    var root: NodeID
    var request: SinkRequest
    var sinks: [NodeID]
}

extension CanvasRequest {
    /// Requests the canvas of an output in the format that its sinks take.
    fileprivate init(_ request: SinkRequest, size: PixelSize, allowsBlits: Bool) {
        self.init(
            size: size, format: request.format, colorimetry: request.colorimetry, isSubsampled: request.format.isYUV,
            isFinal: true, allowsBlits: allowsBlits)
    }
}

extension PlanBuilder {
    /// Plans the output of a node in the format that its sinks take.
    mutating func addOutput(_ requested: RequestedOutput, among requests: [RequestedOutput]) throws(GraphError) {
        let request = requested.request
        if let measurement = request.measurement { return try addMeasurement(measurement, requested) }
        let chain = graph.chain(endingAt: requested.root)
        if case .compositor(let composition)? = graph[chain.start], chain.links.isEmpty {
            let size = try canvasSize(of: composition, label: graph.label(of: chain.start))
            let others = requests.filter { $0.root == requested.root && $0.request != request }
            // Where effects need R'G'B', one canvas for outputs of all formats is cheaper than one for each.
            let sharesCanvas = request.format.isYUV && !others.isEmpty && needsRGB(composition)
            if input.fuses && (request.size ?? size) == size && !sharesCanvas {
                let canvas = CanvasRequest(
                    request, size: size, allowsBlits: consumers(of: chain.start) == requested.sinks.count)
                let drawn = try draw(composition, label: graph.label(of: chain.start), onto: canvas)
                addOutput(drawn, requested: requested)
                return
            }
        }
        let whole = Composition(canvas: request.size, background: .black, layers: [LayerRecord(requested.root)])
        let size = try canvasSize(of: whole, label: graph.label(of: requested.root))
        let drawn = try draw(
            whole, label: graph.label(of: requested.root),
            onto: CanvasRequest(request, size: size, allowsBlits: input.fuses))
        addOutput(drawn, requested: requested)
    }

    mutating func addOutput(_ drawn: DrawnComposition, requested: RequestedOutput) {
        let format = requested.request.format
        // Rows are padded to whole texels, so that each plane is read back at once.
        let grain = format.isYUV ? (format.family == .planar ? 8 : 4) : 1
        let stride = drawn.size.width.roundedUp(to: grain) * format.bytesPerColumn(ofPlane: 0)
        let layout = FrameLayout(format, drawn.size, stride: stride)
        var output = PlannedOutput(
            layout: layout, colorimetry: drawn.colorimetry, sinks: requested.sinks, blits: [], readbacks: [],
            sources: drawn.sources)
        output.blits = drawn.blits.flatMap { $0.blits(of: layout) }
        output.background = drawn.background
        if executor == .cpu {
            output.draws = takeDraws(into: drawn.canvases)
            return plan.outputs.append(output)
        }
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

    /// Removes the steps that draw into canvases from the plan, and returns them.
    ///
    /// No other step reads the canvases.
    private mutating func takeDraws(into canvases: [Canvas]) -> OutputDraws? {
        guard let canvas = canvases.first else { return nil }
        let textures = Set(canvas.textures)
        let steps = plan.steps.filter { $0.result.map(textures.contains) == true }
        plan.steps.removeAll { $0.result.map(textures.contains) == true }
        return OutputDraws(planes: canvas.textures, steps: steps)
    }

    /// The number of nodes' inputs that take frames from a node.
    private func consumers(of id: NodeID) -> Int {
        graph.order.reduce(0) { count, node in count + graph.inputs(of: node).filter { $0 == id }.count }
    }

    /// True when the chain of a layer mixes luma and chroma.
    private func needsRGB(_ composition: Composition) -> Bool {
        composition.drawingOrder.contains { layer in
            graph.chain(endingAt: layer.input).links.contains { !$0.traits.keepsPlanesApart }
        }
    }

    /// The size of a canvas: the composition's own, or the bottom layer's.
    func canvasSize(of composition: Composition, label: String) throws(GraphError) -> PixelSize {
        if let canvas = composition.canvas { return canvas }
        for layer in composition.drawingOrder {
            if let size = try uprightSize(of: layer.input, crop: layer.placement.crop) {
                return layer.placement.orientation.size(of: size)
            }
        }
        // While no layer has frames, the picture has a default size.
        return .hd720
    }

    /// The upright size of a node's picture; nil while its source has no frames.
    ///
    /// `crop`: The part of the source that forms the picture; nil takes all.
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
        for link in chain.links where !input.zooms.contains(link.node) {
            if let part = UnitRect(croppedBy: link) {
                size = part.part(of: size.bounds).size
            } else if case .turned(let orientation) = link.traits.framing {
                size = orientation.size(of: size)
            }
        }
        return size
    }
}

extension PlanBuilder {
    /// The largest number of pixels that a compute shader counts where atomic additions take a lock.
    ///
    /// A larger picture is read back and counted by the CPU.
    private static let largestLockedTally = 65536

    /// Plans a measurement of a node's picture, at the picture's own size.
    ///
    /// The picture is drawn as far as the measurement needs it, and a small table is read back. Where atomics are slow,
    /// a large picture is read back instead, and the sink counts it.
    ///
    /// Plans nothing while the node's sources have no frames.
    mutating func addMeasurement(_ measurement: Measurement, _ requested: RequestedOutput) throws(GraphError) {
        let label = graph.label(of: requested.root)
        guard input.capabilities.hasFloatTargets else { throw .unmeasurable(node: label) }
        var background = Color.black
        background.alpha = 0
        let whole = Composition(canvas: nil, background: background, layers: [LayerRecord(requested.root)])
        let size = try canvasSize(of: whole, label: label)
        let countsOnCPU = !input.capabilities.renderer.hasFastAtomics && size.area > Self.largestLockedTally
        if measurement == .histogram && countsOnCPU {
            let drawn = try draw(
                whole, label: label,
                onto: CanvasRequest(size: size, format: .rgba, isSubsampled: false, isFinal: true))
            return addOutput(drawn, requested: requested)
        }
        let layers = try layerPlans(of: whole, canvas: size, format: .rgba, isSubsampled: false)
        guard var layer = layers.first, let sink = requested.sinks.first else { return }
        layer.links.append(ChainLink(kind: .measurement(measurement), node: sink))
        let canvas = Canvas(
            size: size, format: .rgba, colorimetry: layer.image.colorimetry, region: size.bounds, isPacked: false,
            isSubsampled: false)
        let image = try planned(layer, on: canvas).whole.segment.image
        guard let texture = image.textures.first else { return }
        let table = plan.textures[texture]
        let bytes = table.format.bytesPerTexel
        let layout = FrameLayout(.rgba, PixelSize(table.size.width * bytes / 4, table.size.height))
        plan.outputs.append(
            PlannedOutput(
                layout: layout, content: .table, colorimetry: layer.image.colorimetry, sinks: requested.sinks,
                blits: [],
                readbacks: [
                    Readback(
                        texture: texture, region: table.size.bounds, plane: 0, offset: 0, rowStep: 1,
                        bytesPerTexel: bytes)
                ], sources: layer.sources))
    }
}
