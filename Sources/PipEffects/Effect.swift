public import PipFrames

/// What a filter does to a frame: a value that holds the parameters, and knows what to draw with them.
///
/// An effect is data. The planner decides in which pass it is drawn; the renderer draws. To add one, see "Adding an effect" in the
/// documentation: one Swift file, and one GLSL file where it needs one.
public protocol Effect: Sendable {
    /// The name on the command line and in plans, in lower case with hyphens, such as `gaussian-blur`.
    static var name: String { get }
    /// One line for `pip-compose effects`.
    static var summary: String { get }
    /// What can be set, the main parameter first.
    static var parameters: [EffectParameter<Self>] { get }
    /// Values with which it shows, as on the command line after `name=`; nil takes some from the ranges.
    static var example: String? { get }
    /// Whether it decides what is seen where, so that it stays when a machine under pressure leaves effects out; turns, crops and changes of alpha do anyhow.
    static var isStructural: Bool { get }

    /// An effect with its parameters at their defaults.
    init()

    /// What to draw, with the parameters as they are.
    func operation(in context: EffectContext) -> EffectOperation
}

extension Effect {
    public static var example: String? { nil }
    public static var isStructural: Bool { false }
}

/// What an effect may need to know of the picture that it is drawn on.
public struct EffectContext: Sendable, Hashable {
    /// The matrix that says how luma is weighed.
    public var matrix: ColorMatrixStandard
    /// Drawn pixels for one pixel of the picture at the effect's full size: below 1 for an inset whose chain runs at
    /// the inset's size.
    ///
    /// Radii scale by it.
    public var scale: Double
    /// The size at which the whole picture is drawn, as the effect sees it: before what turns it later in the chain.
    public var size: PixelSize

    public init(matrix: ColorMatrixStandard, scale: Double, size: PixelSize) {
        self.matrix = matrix
        self.scale = scale
        self.size = size
    }
}

/// How an effect's output depends on its input; from it the planner knows what can share a pass.
public enum EffectOperation: Sendable, Hashable {
    /// Nothing: identity parameters. Costs nothing.
    case none
    /// An affine map of R'G'B'. Neighbours fold into one matrix, together with colour conversion.
    case affine(ColorTransform)
    /// A curve for each of red, green and blue. Neighbours fold into one.
    case curve(Curve)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of the own pixel and its place (0…1, y down).
    case pixel(ShaderCall)
    /// A function `vec4 EFFECT(vec4 around[9])` of the 3×3 pixels around, row by row, the own one at index 4.
    case neighbourhood(ShaderCall)
    /// A symmetric kernel, the centre's weight first, applied across and then down.
    case separable([Double])
    /// A gaussian bell by its standard deviation in pixels; drawn as is cheapest.
    case gaussian(Double)
    /// A function `vec2 EFFECT(vec2 position)` from a place in the output (0…1, y down) to the place that is shown there.
    case warp(ShaderCall)
    /// A turn or mirroring, exact.
    case orientation(Orientation)
    /// A symmetric kernel, the centre's weight first, in one direction.
    case kernel([Double], KernelAxis)
    /// A function `vec4 EFFECT(vec2 position)` that reads the picture wherever it likes. Colours are premultiplied, what it reads and what it gives.
    ///
    /// It may call `vec4 SAMPLE(vec2 position)` (0…1, y down; interpolated, clamped at the edge) and `vec4 PIXEL(ivec2 offset)` (so many
    /// pixels from its own; exact, clamped at the edge), and read `TEXEL` (a pixel's width and height in positions).
    case sampler(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec4 other, vec2 position)` of the own pixel and the same pixel of the picture after
    /// other operations (any but turns); with a third branch, `vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)`.
    case combine(with: [EffectOperation], and: [EffectOperation]? = nil, ShaderCall)
    /// The picture at a part of its size, in means of so many by so many pixels, for the operations that follow.
    case shrink(Int)
    /// The picture's mean everywhere.
    case mean
    /// A function `vec4 EFFECT(vec4 color, vec4 previous, vec2 position)` of the own pixel and what the function gave there for the frame
    /// before. The first frame sees its own colour. Results are kept within 0…1, as floating-point numbers where the renderer can.
    case temporal(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of the own pixel that reads a table of the whole picture, by a `uniform sampler2D PREFIX(table);`.
    ///
    /// `of`: What is done to the picture before its table is made.
    case tabulated(of: [EffectOperation] = [], Tabulation, ShaderCall)
    /// A table of the whole picture in its place.
    case table(Tabulation)
    /// The picture at the size at which it is seen, by Lanczos's kernel; what it does nothing to where it has that size.
    case lanczos
    /// A part of the picture, in shares of its width and height: the picture becomes as large as that.
    case crop(x: Double, y: Double, width: Double, height: Double)
    /// Several, one after the other.
    case sequence([EffectOperation])
}

/// The direction of a one-dimensional kernel.
public enum KernelAxis: Sendable, Hashable {
    case across, down
}

/// An effect's GLSL function, the values of its uniforms and the textures that it reads.
public struct ShaderCall: Sendable, Hashable {
    public var source: ShaderSource
    public var uniforms: [Uniform]
    public var textures: [TextureUniform]
    /// Whether an opaque pixel may come out translucent.
    public var changesAlpha: Bool
    /// Whether a small difference in what it reads can make a large one: thresholds and other jumps.
    ///
    /// What comes before is rounded with more care then.
    public var isSteep: Bool
    /// Whether its results go beyond 0…1 or need more than 8 bits: what reads them next gets 16-bit floats, where the renderer can.
    public var isWide: Bool

    public init(
        _ source: ShaderSource, _ uniforms: [Uniform] = [], textures: [TextureUniform] = [], changesAlpha: Bool = false,
        isSteep: Bool = false, isWide: Bool = false
    ) {
        self.source = source
        self.uniforms = uniforms
        self.textures = textures
        self.changesAlpha = changesAlpha
        self.isSteep = isSteep
        self.isWide = isWide
    }
}

extension EffectOperation {
    /// Whether an opaque pixel may come out translucent.
    package var changesAlpha: Bool {
        switch self {
        case .pixel(let call), .neighbourhood(let call), .sampler(let call), .tabulated(_, _, let call):
            call.changesAlpha
        case .combine(let operations, let others, let call):
            call.changesAlpha || (operations + (others ?? [])).contains(where: \.changesAlpha)
        case .sequence(let operations): operations.contains(where: \.changesAlpha)
        default: false
        }
    }
}
