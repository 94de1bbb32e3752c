internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Records the textures and steps of a plan for one executor, and keeps the textures that steps share.
struct StepRecorder {
    let input: PlanInput
    let executor: Executor
    private(set) var textures: [PlannedTexture] = []
    private(set) var steps: [RenderPlan.Step] = []
    /// The names of the shaders that the executor cannot draw.
    private(set) var obstacles: Set<String> = []
    /// The passes that OpenGL ES draws in a plan of the CPU; nil for none.
    private(set) var mixed: MixedPlan?
    private var sourceImages: [NodeID: Image] = [:]
    private var constantTextures: [ConstantTexture: RenderPlan.TextureIndex] = [:]

    init(_ input: PlanInput, executor: Executor, mixed: MixedPlan?) {
        self.input = input
        self.executor = executor
        self.mixed = mixed
    }

    mutating func append(_ step: RenderPlan.Step) { steps.append(step) }

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
        textures.append(PlannedTexture(label: label, size: size, format: format, contents: contents))
        return textures.count - 1
    }

    /// A source's frame in textures, uploaded once for all layers; nil while the source has no frames.
    mutating func image(ofSource id: NodeID) throws(GraphError) -> Image? {
        if let image = sourceImages[id] { return image }
        guard var image = input.image(ofSource: id), let layout = input.sources[id]?.layout else { return nil }
        image.isPacked = executor == .gl && layout.canBePacked && layout.format.family != .packed422
        for (plane, planeLayout) in layout.planes.enumerated() {
            let packing =
                image.isPacked
                ? TexelPacking.packed(rowBytes: planeLayout.rowBytes, rows: planeLayout.dimensions.height)
                : TexelPacking.plain(layout.format, plane: plane, size: layout.size)
            let texture = try addTexture("\(image.label) plane \(plane)", packing.size, packing.format)
            image.textures.append(texture)
            steps.append(
                .upload(
                    Upload(
                        source: id, plane: plane, texture: texture, region: packing.size.bounds,
                        bytesPerTexel: packing.format.bytesPerTexel, isShared: executor == .cpu)))
        }
        sourceImages[id] = image
        return image
    }

    /// Adds a texture that keeps a filter's result from frame to frame.
    mutating func addHistory(
        _ label: String, _ size: PixelSize, _ format: TexelFormat, of node: NodeID
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        let texture = try addTexture(label, size, format)
        let occurrence = textures.count { $0.history?.node == node }
        textures[texture].history = HistoryKey(node: node, occurrence: occurrence)
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
    /// OpenGL ES draws an intermediate picture of a mixed plan that the CPU cannot draw, or would draw more slowly.
    ///
    /// - Parameters:
    ///   - contents: The segment and its canvas.
    ///   - label: The pass's name in messages.
    ///   - rects: The rectangles that are drawn, in canvas pixels; at most eight.
    /// - Throws: ``GraphError`` when a constant texture is empty or too large.
    mutating func draw(_ contents: PassContents, label: String, rects: [PixelRect]) throws(GraphError) {
        if executor == .cpu {
            let pass = RowPass(label: label, contents: contents, rects: rects)
            guard let transfers = mixed?.take(pass, textures) else { return add(pass) }
            steps += transfers
        }
        var builder = PassBuilder(contents)
        let result = builder.build()
        let canvas = contents.canvas
        let names = ["plane0", "plane1", "plane2"]
        var inputs: [PassInput] = []
        if contents.solid == nil {
            inputs = zip(names, contents.segment.image.textures).map { PassInput(sampler: $0, texture: $1) }
        }
        inputs += try constantInputs(result.constants)
        inputs += result.pictures.map { PassInput(sampler: $0.sampler, texture: $0.texture) }
        let parts = canvas.parts
        let regions = rects.map { canvas.texels(of: $0, part: parts[contents.part ?? 0]) }
        steps.append(
            .draw(
                Pass(
                    label: label, program: result.program,
                    targets: contents.part.map { [canvas.textures[$0]] } ?? canvas.textures, regions: regions,
                    blending: result.blending, inputs: inputs, uniforms: result.uniforms,
                    sources: contents.segment.image.sources, history: result.history,
                    pixels: rects.reduce(0) { $0 + $1.size.area })))
    }

    private mutating func add(_ pass: RowPass) {
        addObstacles(pass.calls)
        fetch(pass.inputs, of: pass.sources)
        mixed?.changed(pass.targets)
        steps.append(.rows(pass))
    }

    /// Adds the steps that transfer textures to the CPU, if only OpenGL ES has their contents.
    mutating func fetch(_ read: [RenderPlan.TextureIndex], of sources: [NodeID]) {
        steps += mixed?.fetch(read, textures, of: sources) ?? []
    }

    /// Records the names of shaders for which the CPU has no code.
    private mutating func addObstacles(_ calls: [ShaderCall]) {
        obstacles.formUnion(calls.filter { !input.capabilities.rows.knows($0) }.map(\.source.name))
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
            steps.append(
                .clear(Clear(texture: texture, red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])))
        }
    }

    /// Adds the pass that makes a table from a picture and, if there is one, the preceding table `before`.
    mutating func addTable(
        _ step: TableStep, label: String, of picture: Image, after before: RenderPlan.TextureIndex?
    ) throws(GraphError) -> RenderPlan.TextureIndex {
        let label = "\(label) table of \(picture.label)"
        let target = try addTexture(label, step.size, .rgba32f)
        guard executor == .gl else {
            addObstacles([step.call])
            fetch(picture.textures, of: picture.sources)
            steps.append(
                .tabulate(TablePass(label: label, step: step, picture: picture, before: before, target: target)))
            return target
        }
        let writer = ProgramWriter(step, of: picture)
        var inputs = zip(["picture", "table"], [picture.textures.first, before]).compactMap { sampler, texture in
            texture.map { PassInput(sampler: sampler, texture: $0) }
        }
        inputs += try constantInputs(writer.constants)
        steps.append(
            .draw(
                Pass(
                    label: label, program: writer.program, targets: [target], regions: [], blending: .none,
                    inputs: inputs, uniforms: writer.uniforms, sources: picture.sources, history: nil,
                    pixels: step.readsPicture ? picture.size.area : step.size.area, groups: step.groups)))
        return target
    }

    /// The inputs that read textures with constant contents, which all passes share.
    private mutating func constantInputs(
        _ constants: [(sampler: String, texture: ConstantTexture)]
    ) throws(GraphError) -> [PassInput] {
        var inputs: [PassInput] = []
        for (sampler, contents) in constants {
            let texture =
                if let known = constantTextures[contents] {
                    known
                } else {
                    try addTexture(contents.label, contents.size, contents.format, contents: contents)
                }
            constantTextures[contents] = texture
            inputs.append(PassInput(sampler: sampler, texture: texture))
        }
        return inputs
    }

    /// Uploads the planes of an unchanged layer's frame, or the part of them that a canvas holds, into the canvas.
    ///
    /// Returns false, and adds nothing, for a layer that must be drawn.
    mutating func upload(_ base: LayerPlan, to canvas: Canvas) -> Bool {
        guard executor == .gl, let source = base.image.sources.first, let layout = input.sources[source]?.layout,
            base.isUntouched(on: canvas.size, format: canvas.format, colorimetry: canvas.colorimetry),
            canvas.isYUV, !canvas.splitsRows, layout.canBePacked || !canvas.isPacked
        else { return false }
        for (part, texture) in zip(canvas.parts, canvas.textures) {
            let planned = textures[texture]
            let region = PixelRect(
                x: canvas.region.x / part.block.width, y: canvas.region.y / part.block.height,
                width: planned.size.width, height: planned.size.height)
            steps.append(
                .upload(
                    Upload(
                        source: source, plane: part.plane, texture: texture, region: region,
                        bytesPerTexel: planned.format.bytesPerTexel)))
        }
        return true
    }

    /// Removes the steps that draw into the first canvas, and returns these steps; nil without a canvas.
    ///
    /// No other step reads the canvas.
    mutating func takeDraws(into canvases: [Canvas]) -> OutputDraws? {
        guard let canvas = canvases.first else { return nil }
        let targets = Set(canvas.textures)
        let draws = steps.filter { $0.draws(into: targets) }
        steps.removeAll { $0.draws(into: targets) }
        return OutputDraws(planes: canvas.textures, steps: draws)
    }
}

extension RenderPlan.Step {
    /// True for a step whose result is one of the textures.
    fileprivate func draws(into targets: Set<RenderPlan.TextureIndex>) -> Bool {
        result.map { targets.contains($0) } ?? false
    }
}
