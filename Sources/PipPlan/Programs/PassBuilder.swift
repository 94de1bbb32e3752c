internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Makes the shader and the uniforms of a pass: a segment drawn into one part of a canvas, or into all parts at once.
struct PassBuilder {
    private let contents: PassContents
    private var writer = ProgramWriter()

    init(_ contents: PassContents) { self.contents = contents }

    private var segment: Segment { contents.segment }
    private var canvas: Canvas { contents.canvas }

    /// The shader of a pass, with its inputs and uniforms.
    struct Result {
        var program: FragmentProgram
        var uniforms: [Uniform]
        var constants: [(sampler: String, texture: ConstantTexture)]
        var pictures: [(sampler: String, texture: RenderPlan.TextureIndex)]
        var history: PassInput?
        var blending: Pass.Blending
    }

    /// The index of the plane that the pass draws; nil for all planes.
    private var plane: Int? { contents.part.map { canvas.parts[$0].plane } }

    private var isApart: Bool { canvas.isYUV && segment.keepsLumaAndChromaApart && segment.image.alpha == .none }

    /// Makes the shader that draws the segment, or one colour, such as a shadow's.
    mutating func build() -> Result {
        if let solid = contents.solid { return buildSolid(solid) }
        let blending = defineTarget()
        if let plane, isApart, plane > 0, contents.usesChromaGrid { writer.define("ONCE") }
        PassHead(contents: contents).add(to: &writer)
        let wanted: ProgramWriter.Part = !isApart || plane == nil ? .all : plane == 0 ? .luma : .chroma
        var operations = segment.operations
        if contents.part == nil {
            var last: ColorTransform?
            if case .matrix(let transform)? = operations.last {
                last = transform
                operations.removeLast()
            }
            writer.addFinish(last)
        }
        writer.addShade(operations, positions: contents.positions, part: wanted)
        return finish(blending)
    }

    private mutating func buildSolid(_ color: Color) -> Result {
        let blending = defineTarget()
        let value = PassContents.value(of: color, on: canvas)
        writer.add(.vector("solid", value[0], value[1], value[2], Float(color.alpha)))
        writer.add(LibraryShader.solidHead)
        writer.add(LibraryShader.headQuad)
        writer.addEmptyShade()
        return finish(blending)
    }

    private mutating func finish(_ blending: Pass.Blending) -> Result {
        addLook()
        writer.add(LibraryShader.target)
        writer.add(.vector("canvasOrigin", Float(canvas.region.x), Float(canvas.region.y)))
        writer.add(.vector("canvasLimit", Float(canvas.size.width) - 0.5, Float(canvas.size.height) - 0.5))
        return Result(
            program: writer.program, uniforms: writer.uniforms, constants: writer.constants,
            pictures: writer.pictures + writer.tables, history: writer.history, blending: blending)
    }

    private mutating func defineTarget() -> Pass.Blending {
        let isSemiplanar = canvas.format.family == .semiplanar
        let target = !canvas.isYUV ? 0 : plane == nil ? 4 : plane == 0 ? 1 : isSemiplanar ? 2 : 3
        writer.define("TARGET", "\(target)")
        writer.define("PLANES", canvas.isPacked ? canvas.splitsRows ? "2" : "1" : "0")
        if target == 3, let plane { writer.define("COMPONENT", "\(plane)") }
        if target == 4 { writer.define("CHROMA_PLANES", isSemiplanar ? "1" : "2") }
        if canvas.splitsRows, let part = contents.part, part < 2 { writer.define("ROW", "\(part)") }
        if canvas.size.width % 2 == 1 { writer.define("ODD_WIDTH") }
        guard contents.isBlended else { return .none }
        guard canvas.isYUV, canvas.isPacked else { return .premultiplied }
        writer.require("GL_EXT_blend_func_extended")
        writer.define("WEIGHTS")
        return .weighted
    }

    private mutating func addLook() {
        if let cover = contents.cover {
            writer.define("COVERAGE")
            let rect = cover.rect
            writer.add(.vector("layerRect", Float(rect.x), Float(rect.y), Float(rect.width), Float(rect.height)))
            let largest = Double(min(rect.width, rect.height)) / 2
            writer.add(.float("cornerRadius", Float(min(cover.cornerRadius, largest))))
            writer.add(.float("opacity", Float(cover.opacity)))
            if let border = cover.border {
                writer.define("BORDER")
                let value = PassContents.value(of: border.color, on: canvas)
                writer.add(.vector("borderColor", value[0], value[1], value[2], Float(border.color.alpha)))
                writer.add(.float("borderWidth", Float(border.width)))
            }
            if let blur = cover.shadowBlur {
                writer.define("SHADOW")
                writer.add(.float("shadowBlur", Float(max(blur, 0.5))))
            }
        }
        writer.add(LibraryShader.look)
    }
}
