internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Builds a plan, and keeps the pictures and textures that steps can share.
struct PlanBuilder {
    let input: PlanInput
    /// The layers that the CPU may copy instead of drawing them.
    let blitRange: BlitRange
    let executor: Executor
    /// The names of the shaders that the executor cannot draw.
    private(set) var obstacles: Set<String> = []
    /// The passes that OpenGL ES draws in a plan of the CPU; nil for none.
    var mixed: MixedPlan?
    var plan = RenderPlan()
    /// The layers of the graph that have handles, unlike the layers of intermediate canvases.
    let handledLayers: Set<NodeID>
    private var sourceImages: [NodeID: Image] = [:]
    private var constantTextures: [ConstantTexture: RenderPlan.TextureIndex] = [:]
    /// The results of branches, keyed by their inputs, so that steps share equal results.
    var branches: [BranchKey: SecondPicture] = [:]
    /// Whole canvases, keyed by compositor and format, so that two consumers share one.
    var canvasImages: [CanvasKey: Image] = [:]

    /// The pictures that blends read, keyed by node and size.
    var pictures: [PictureKey: Image] = [:]

    struct PictureKey: Hashable {
        var node: NodeID
        var size: PixelSize
    }

    struct CanvasKey: Hashable {
        var node: NodeID
        var format: PixelFormat
        var isSubsampled: Bool
    }

    init(_ input: PlanInput, blitRange: BlitRange, executor: Executor = .gl) {
        self.input = input
        self.blitRange = blitRange
        self.executor = executor
        let layers = input.graph.order.map { id -> [LayerRecord] in
            if case .compositor(let composition)? = input.graph[id] { composition.layers } else { [] }
        }
        handledLayers = Set(layers.joined().map(\.id))
    }

    var graph: Graph { input.graph }

    /// Throws an error when a picture is empty, or larger than a texture may be.
    func check(_ size: PixelSize, of label: String) throws(GraphError) {
        guard size.width > 0, size.height > 0 else { throw .badSize(node: label, size: size) }
        let limit = input.capabilities.maxTextureSize
        guard size.width <= limit, size.height <= limit else { throw .tooLarge(node: label, size: size, limit: limit) }
    }

    mutating func addTexture(
        _ label: String, _ size: PixelSize, _ format: TexelFormat, contents: ConstantTexture? = nil
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        try check(size, of: label)
        plan.textures.append(PlannedTexture(label: label, size: size, format: format, contents: contents))
        return plan.textures.count - 1
    }

    /// A source's frame in textures, uploaded once for all layers; nil while the source has no frames.
    mutating func image(ofSource id: NodeID) throws(GraphError) -> Image? {
        if let image = sourceImages[id] { return image }
        guard let source = input.sources[id] else { return nil }
        let layout = source.layout
        let label = graph.label(of: id)
        let isPacked = executor == .gl && layout.canBePacked && layout.format.family != .packed422
        var textures: [RenderPlan.TextureIndex] = []
        for (plane, planeLayout) in layout.planes.enumerated() {
            let packing =
                isPacked
                ? TexelPacking.packed(rowBytes: planeLayout.rowBytes, rows: planeLayout.dimensions.height)
                : TexelPacking.plain(layout.format, plane: plane, size: layout.size)
            let texture = try addTexture("\(label) plane \(plane)", packing.size, packing.format)
            textures.append(texture)
            plan.steps.append(
                .upload(
                    Upload(
                        source: id, plane: plane, texture: texture, region: packing.size.bounds,
                        bytesPerTexel: packing.format.bytesPerTexel, isShared: executor == .cpu)))
        }
        let image = Image(
            size: layout.size, format: layout.format, textures: textures, isPacked: isPacked,
            colorimetry: source.colorimetry, alpha: layout.format.hasAlpha ? .premultiplied : .none, sources: [id],
            label: label, wasYUV: layout.format.isYUV)
        sourceImages[id] = image
        return image
    }

    /// A texture with constant contents, which all passes share.
    mutating func texture(of contents: ConstantTexture) throws(GraphError) -> RenderPlan.TextureIndex {
        if let texture = constantTextures[contents] { return texture }
        let texture = try addTexture(contents.label, contents.size, contents.format, contents: contents)
        constantTextures[contents] = texture
        return texture
    }

    /// Adds a texture that keeps a filter's result from frame to frame.
    mutating func addHistory(
        _ label: String, _ size: PixelSize, _ format: TexelFormat, of node: NodeID
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        let texture = try addTexture(label, size, format)
        let occurrence = plan.textures.count { $0.history?.node == node }
        plan.textures[texture].history = HistoryKey(node: node, occurrence: occurrence)
        return texture
    }

    /// Adds the textures of a canvas, or of a rectangle of a canvas.
    ///
    /// Only Y'CbCr is packed, and only OpenGL ES packs it.
    mutating func addTextures(
        to canvas: Canvas, label: String, texel: TexelFormat = .rgba8
    ) throws(GraphError) -> Canvas {
        var canvas = canvas
        canvas.isPacked = executor == .gl && canvas.isYUV && canvas.isPacked
        canvas.splitsRows = canvas.splitsRows && canvas.isPacked
        for part in canvas.parts {
            let packing = canvas.packing(of: part, texel: texel)
            let rows = part.rowStep == 1 ? "" : part.firstRow == 0 ? ", even rows" : ", odd rows"
            canvas.textures.append(
                try addTexture("\(label) plane \(part.plane)\(rows)", packing.size, packing.format))
        }
        return canvas
    }

    /// The parts of the canvas that need a pass each; a nil element is one pass that draws all parts.
    func parts(of canvas: Canvas) -> [Int?] { executor == .cpu ? [nil] : Array(canvas.parts.indices) }

    /// Adds the pass that draws a segment into a part of a canvas, or into all parts at once.
    ///
    /// - Parameters:
    ///   - contents: The segment and its canvas.
    ///   - label: The pass's name in messages.
    ///   - rects: The rectangles that are drawn, in canvas pixels; at most eight.
    /// - Throws: ``GraphError`` when a constant texture is too large.
    mutating func draw(_ contents: PassContents, label: String, rects: [PixelRect]) throws(GraphError) {
        switch executor {
        case .gl: try drawFragments(contents, label: label, rects: rects)
        case .cpu:
            try drawRows(RowPass(label: label, contents: contents, rects: rects))
        }
    }

    /// Adds a pass of the CPU, or the equivalent pass of OpenGL ES where that draws it.
    private mutating func drawRows(_ pass: RowPass) throws(GraphError) {
        if let transfers = mixed?.take(pass, plan.textures) {
            plan.steps += transfers
            return try drawFragments(pass.contents, label: pass.label, rects: pass.rects)
        }
        addObstacles(pass.calls)
        fetch(pass.inputs, of: pass.sources)
        mixed?.changed(pass.targets)
        plan.steps.append(.rows(pass))
    }

    /// Adds the steps that transfer textures to the CPU, if only OpenGL ES has their contents.
    mutating func fetch(_ textures: [RenderPlan.TextureIndex], of sources: [NodeID]) {
        plan.steps += mixed?.fetch(textures, plan.textures, of: sources) ?? []
    }

    /// Records the names of shaders for which the CPU has no code.
    private mutating func addObstacles(_ calls: [ShaderCall]) {
        obstacles.formUnion(calls.filter { !input.capabilities.rows.knows($0) }.map(\.source.name))
    }

    /// Adds the pass of OpenGL ES that draws a segment into a part of a canvas, or into all parts at once.
    private mutating func drawFragments(
        _ contents: PassContents, label: String, rects: [PixelRect]
    ) throws(GraphError) {
        var builder = PassBuilder(contents)
        let result = builder.build()
        let canvas = contents.canvas
        let names = ["plane0", "plane1", "plane2"]
        var inputs: [PassInput] = []
        if contents.solid == nil {
            inputs = zip(names, contents.segment.image.textures).map { PassInput(sampler: $0, texture: $1) }
        }
        for (sampler, contents) in result.constants {
            inputs.append(PassInput(sampler: sampler, texture: try texture(of: contents)))
        }
        inputs += result.pictures.map { PassInput(sampler: $0.sampler, texture: $0.texture) }
        let parts = canvas.parts
        let regions = rects.map { canvas.texels(of: $0, part: parts[contents.part ?? 0]) }
        plan.steps.append(
            .draw(
                Pass(
                    label: label, program: result.program,
                    targets: contents.part.map { [canvas.textures[$0]] } ?? canvas.textures, regions: regions,
                    blending: result.blending, inputs: inputs, uniforms: result.uniforms,
                    sources: contents.segment.image.sources, history: result.history,
                    pixels: rects.reduce(0) { $0 + $1.size.area })))
    }

    /// Adds the steps that fill a canvas with a colour.
    ///
    /// An R'G'B' canvas is filled with the colour's alpha, too.
    mutating func clear(_ canvas: Canvas, to color: Color) {
        let value = PassContents.value(of: color, on: canvas)
        for (part, texture) in zip(canvas.parts, canvas.textures) {
            let plane = part.plane
            let parts: [Float] =
                switch (canvas.format.family, plane) {
                case (.rgb, _): (value + [1]).map { $0 * Float(color.alpha) }
                case (_, 0): Array(repeating: value[0], count: 4)
                case (.semiplanar, _): [value[1], value[2], value[1], value[2]]
                default: Array(repeating: value[plane], count: 4)
                }
            plan.steps.append(
                .clear(Clear(texture: texture, red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])))
        }
    }

    private mutating func addRowTable(
        _ step: TableStep, label: String, of picture: Image, after before: RenderPlan.TextureIndex?
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        addObstacles([step.call])
        fetch(picture.textures, of: picture.sources)
        let texture = try addTexture("\(label) table of \(picture.label)", step.size, .rgba32f)
        plan.steps.append(
            .tabulate(
                TablePass(
                    label: "\(label) table of \(picture.label)", step: step, picture: picture, before: before,
                    target: texture)))
        return texture
    }

    /// Adds the pass that makes a table from a picture and, if there is one, the preceding table `before`.
    mutating func addTable(
        _ step: TableStep, label: String, of picture: Image, after before: RenderPlan.TextureIndex?
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        if executor == .cpu { return try addRowTable(step, label: label, of: picture, after: before) }
        var writer = ProgramWriter()
        if picture.alpha != .none { writer.define("ALPHA") }
        writer.add(LibraryShader.table)
        writer.add(LibraryShader.tableSteps)
        writer.add(step.call, as: "tabulate")
        writer.add(ShaderSource("main", "void main() { tabulate(); }\n"))
        writer.add(
            Uniform("pictureSize", .integers2(Int32(picture.size.width), Int32(picture.size.height))))
        let texture = try addTexture("\(label) table of \(picture.label)", step.size, .rgba32f)
        var inputs = zip(["picture", "table"], [picture.textures.first, before]).compactMap { sampler, texture in
            texture.map { PassInput(sampler: sampler, texture: $0) }
        }
        for (sampler, contents) in writer.constants {
            inputs.append(PassInput(sampler: sampler, texture: try self.texture(of: contents)))
        }
        plan.steps.append(
            .draw(
                Pass(
                    label: "\(label) table of \(picture.label)", program: writer.program, targets: [texture],
                    regions: [], blending: .none, inputs: inputs, uniforms: writer.uniforms,
                    sources: picture.sources, history: nil,
                    pixels: step.readsPicture ? picture.size.area : step.size.area, groups: step.groups)))
        return texture
    }
}
