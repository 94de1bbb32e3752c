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

    /// An effect with its parameters at their defaults.
    init()

    /// What to draw, with the parameters as they are.
    func operation(in context: EffectContext) -> EffectOperation
}

extension Effect {
    public static var example: String? { nil }
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
    /// The size at which it is drawn.
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
    /// A function `vec2 EFFECT(vec2 position)` from a place in the output (0…1, y down) to the place that is shown there.
    case warp(ShaderCall)
    /// A turn or mirroring, exact.
    case orientation(Orientation)
}

/// An effect's GLSL function, the values of its uniforms and the textures that it reads.
public struct ShaderCall: Sendable, Hashable {
    public var source: ShaderSource
    public var uniforms: [Uniform]
    public var textures: [TextureUniform]

    public init(_ source: ShaderSource, _ uniforms: [Uniform] = [], textures: [TextureUniform] = []) {
        self.source = source
        self.uniforms = uniforms
        self.textures = textures
    }
}
