internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Makes the text and the values of one pass: a segment drawn into a part of a canvas, or into all its parts at once.
struct PassBuilder {
    let segment: Segment
    /// From canvas pixels to positions in the chain.
    let positions: Mapping
    let canvas: Canvas
    /// The index of the part; nil draws all parts of a canvas that splits rows.
    let part: Int?
    /// The coverage of pixels; nil draws every pixel of the regions.
    let cover: Cover?
    /// True when chroma is read once for 2×2 pixels.
    let usesChromaGrid: Bool
    /// True when what is there counts no more; else a translucent segment is drawn over it.
    var replaces = false
    var writer = ProgramWriter()

    /// A rounded rectangle with its look.
    struct Cover: Hashable {
        var rect: PixelRect
        var cornerRadius = 0.0
        var opacity = 1.0
        var border: LayerLook.Border?
        var shadowBlur: Double?
    }

    /// The parts of a pass beside its place.
    struct Result {
        var program: FragmentProgram
        var uniforms: [Uniform]
        var constants: [(sampler: String, texture: ConstantTexture)]
        var pictures: [(sampler: String, texture: RenderPlan.TextureIndex)]
        var history: PassInput?
        var blending: Pass.Blending
    }

    init(segment: Segment, positions: Mapping, canvas: Canvas, part: Int?, cover: Cover?, usesChromaGrid: Bool) {
        self.segment = segment
        self.positions = positions
        self.canvas = canvas
        self.part = part
        self.cover = cover
        self.usesChromaGrid = usesChromaGrid
    }

    /// The plane; nil for all of them.
    private var plane: Int? { part.map { canvas.parts[$0].plane } }

    private var isApart: Bool { canvas.isYUV && segment.keepsLumaAndChromaApart && segment.image.alpha == .none }

    /// A pass that draws the segment.
    mutating func build() -> Result {
        let blending = defineTarget()
        if let plane, isApart, plane > 0, usesChromaGrid { writer.define("ONCE") }
        addHead()
        let wanted: ProgramWriter.Part = !isApart || plane == nil ? .all : plane == 0 ? .luma : .chroma
        var operations = segment.operations
        if part == nil {
            var last: ColorTransform?
            if case .matrix(let transform)? = operations.last {
                last = transform
                operations.removeLast()
            }
            writer.addFinish(last)
        }
        writer.addShade(operations, positions: positions, part: wanted)
        return finish(blending)
    }

    /// A pass that draws one colour, such as a shadow.
    mutating func buildSolid(_ color: Color) -> Result {
        let blending = defineTarget()
        let value = Self.value(of: color, on: canvas)
        writer.add(.vector("solid", value[0], value[1], value[2], Float(color.alpha)))
        writer.add(LibraryShader.solidHead)
        writer.add(LibraryShader.headQuad)
        writer.addEmptyShade()
        return finish(blending)
    }

    /// A colour in the terms of a canvas: Y'CbCr or R'G'B'.
    static func value(of color: Color, on canvas: Canvas) -> [Float] {
        let rgb = [color.red, color.green, color.blue]
        return (canvas.isYUV ? canvas.colorimetry.yCbCrFromRGB.applied(to: rgb) : rgb).map { Float($0) }
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
        if canvas.splitsRows, let part, part < 2 { writer.define("ROW", "\(part)") }
        if canvas.size.width % 2 == 1 { writer.define("ODD_WIDTH") }
        guard !replaces, cover != nil || segment.hasAlpha else { return .none }
        guard canvas.isYUV, canvas.isPacked else { return .premultiplied }
        writer.require("GL_EXT_blend_func_extended")
        writer.define("WEIGHTS")
        return .weighted
    }

    private mutating func addLook() {
        if let cover {
            writer.define("COVERAGE")
            let rect = cover.rect
            writer.add(.vector("layerRect", Float(rect.x), Float(rect.y), Float(rect.width), Float(rect.height)))
            let largest = Double(min(rect.width, rect.height)) / 2
            writer.add(.float("cornerRadius", Float(min(cover.cornerRadius, largest))))
            writer.add(.float("opacity", Float(cover.opacity)))
            if let border = cover.border {
                writer.define("BORDER")
                let value = Self.value(of: border.color, on: canvas)
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
