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

/// Plans the outputs that sinks request.
struct OutputBuilder {
    private var compositions: CompositionBuilder
    private var outputs: [PlannedOutput] = []

    init(_ compositions: CompositionBuilder) { self.compositions = compositions }

    private var input: PlanInput { compositions.input }
    private var graph: Graph { input.graph }

    /// The plan that draws the outputs, and the names of the shaders that its executor cannot draw.
    var result: (plan: RenderPlan, obstacles: Set<String>) {
        let recorder = compositions.recorder
        var plan = RenderPlan()
        plan.executor = recorder.executor
        (plan.textures, plan.steps, plan.outputs) = (recorder.textures, recorder.steps, outputs)
        plan.layers = compositions.placedLayers
        plan.stills = Set(input.sources.filter(\.value.isStill).keys)
        plan.shareUploads(of: input.sources, input.capabilities)
        return (plan, recorder.obstacles)
    }

    /// Plans the output of a node in the format that its sinks take.
    mutating func add(_ requested: RequestedOutput, among requests: [RequestedOutput]) throws(GraphError) {
        let request = requested.request
        if let measurement = request.measurement { return try addMeasurement(measurement, requested) }
        let chain = graph.chain(endingAt: requested.root)
        if case .compositor(let composition)? = graph[chain.start], chain.links.isEmpty {
            let size = input.canvasSize(of: composition)
            let others = requests.filter { $0.root == requested.root && $0.request != request }
            // Where effects need R'G'B', one canvas for outputs of all formats is cheaper than one for each.
            let sharesCanvas = request.format.isYUV && !others.isEmpty && graph.needsRGB(composition)
            if input.fuses && (request.size ?? size) == size && !sharesCanvas {
                let canvas = CanvasRequest(
                    request, size: size, allowsBlits: graph.consumers(of: chain.start) == requested.sinks.count)
                return try add(composition, onto: canvas, for: requested)
            }
        }
        let whole = Composition(canvas: request.size, background: .black, layers: [LayerRecord(requested.root)])
        let canvas = CanvasRequest(request, size: input.canvasSize(of: whole), allowsBlits: input.fuses)
        try add(whole, onto: canvas, for: requested)
    }

    /// Draws a composition, and adds the output that it fills.
    private mutating func add(
        _ composition: Composition, onto canvas: CanvasRequest, for requested: RequestedOutput
    ) throws(GraphError) {
        let label = graph.label(of: requested.root)
        let drawn = try compositions.draw(composition, label: label, onto: canvas)
        let format = requested.request.format
        // Rows are padded to whole texels, so that each plane is read back at once.
        let grain = format.isYUV ? (format.family == .planar ? 8 : 4) : 1
        let stride = drawn.size.width.roundedUp(to: grain) * format.bytesPerColumn(ofPlane: 0)
        let layout = FrameLayout(format, drawn.size, stride: stride)
        var output = PlannedOutput(
            layout: layout, colorimetry: drawn.colorimetry, sinks: requested.sinks,
            blits: drawn.blits.flatMap { $0.blits(of: layout) }, background: drawn.background, readbacks: [],
            sources: drawn.sources)
        switch compositions.recorder.executor {
        case .cpu: output.draws = compositions.recorder.takeDraws(into: drawn.canvases)
        case .gl:
            let textures = compositions.recorder.textures
            output.readbacks = drawn.canvases.flatMap { $0.readbacks(of: textures, into: layout) }
        }
        outputs.append(output)
    }

    /// The largest number of pixels that a compute shader counts where atomic additions take a lock.
    ///
    /// A larger picture is read back and counted by the CPU.
    private static let largestLockedTally = 65536

    /// Plans a measurement of a node's picture, at the picture's own size.
    ///
    /// The picture is drawn as far as the measurement needs it, and a small table is read back. For a histogram where
    /// atomics are slow, a large picture is read back instead, and the sink counts it.
    ///
    /// Plans no output while the node's sources have no frames.
    private mutating func addMeasurement(_ measurement: Measurement, _ requested: RequestedOutput) throws(GraphError) {
        let label = graph.label(of: requested.root)
        guard input.capabilities.hasFloatTargets else { throw .unmeasurable(node: label) }
        let whole = Composition(canvas: nil, background: .clear, layers: [LayerRecord(requested.root)])
        let size = input.canvasSize(of: whole)
        let layers = try compositions.layerPlans(
            of: whole, on: CanvasRequest(size: size, format: .rgba, isSubsampled: false))
        guard var layer = layers.first, let sink = requested.sinks.first else { return }
        let countsOnCPU = !input.capabilities.renderer.hasFastAtomics && size.area > Self.largestLockedTally
        if measurement == .histogram && countsOnCPU {
            let canvas = CanvasRequest(size: size, format: .rgba, isSubsampled: false, isFinal: true)
            return try add(whole, onto: canvas, for: requested)
        }
        layer.links.append(ChainLink(kind: .measurement(measurement), node: sink))
        let canvas = Canvas(
            size: size, format: .rgba, colorimetry: layer.image.colorimetry, region: size.bounds, isPacked: false,
            isSubsampled: false)
        let image = try compositions.planned(layer, on: canvas).whole.segment.image
        guard let texture = image.textures.first else { return }
        let table = compositions.recorder.textures[texture]
        let bytes = table.format.bytesPerTexel
        let layout = FrameLayout(.rgba, PixelSize(table.size.width * bytes / 4, table.size.height))
        outputs.append(
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

extension Graph {
    /// The number of nodes' inputs that take frames from a node.
    fileprivate func consumers(of id: NodeID) -> Int {
        order.reduce(0) { count, node in count + inputs(of: node).filter { $0 == id }.count }
    }

    /// True when an effect or a blend in a layer's chain needs R'G'B', a kernel, or several operations.
    fileprivate func needsRGB(_ composition: Composition) -> Bool {
        composition.drawingOrder.contains { layer in
            chain(endingAt: layer.input).links.contains { !$0.traits.keepsPlanesApart }
        }
    }
}

extension Canvas {
    /// The read-backs that copy the canvas's textures into an output with the given layout.
    fileprivate func readbacks(of textures: [PlannedTexture], into layout: FrameLayout) -> [Readback] {
        zip(parts, self.textures).compactMap { part, texture in
            let planned = textures[texture]
            let bytes = planned.format.bytesPerTexel
            let plane = layout.planes[part.plane]
            let firstRow = region.y / part.block.height * part.rowStep + part.firstRow
            var copied = planned.size.bounds
            copied.height = min(copied.height, (plane.dimensions.height - firstRow).dividedUp(by: part.rowStep))
            if copied.isEmpty { return nil }
            return Readback(
                texture: texture, region: copied, plane: part.plane,
                offset: firstRow * plane.strideInBytes + region.x / part.block.width * bytes, rowStep: part.rowStep,
                bytesPerTexel: bytes)
        }
    }
}
