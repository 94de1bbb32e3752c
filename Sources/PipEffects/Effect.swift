public import PipFrames

/// A change of a frame: a value that holds the parameters and returns the operation to draw.
///
/// An effect is data: the planner decides in which pass it is drawn, and the renderer draws it. To add one, see "Adding
/// an effect" in the documentation: one Swift file, and one GLSL file where it needs one.
public protocol Effect: Sendable {
    /// The name on the command line and in plans, in lower case with hyphens, such as `gaussian-blur`.
    static var name: String { get }
    /// One line for `pip-compose effects`.
    static var summary: String { get }
    /// The parameters, the main one first.
    static var parameters: [EffectParameter<Self>] { get }
    /// Parameter values that make the effect visible, in the form of the command line after `name=`. Nil takes some
    /// from the ranges.
    static var example: String? { get }
    /// True when the effect decides which pixels are seen where, so that it is kept when a machine under pressure
    /// leaves effects out. Turns, crops and changes of alpha are always kept.
    static var isStructural: Bool { get }

    /// The name in plans and messages: the type's, unless each value has its own.
    var title: String { get }

    /// An effect with its parameters at their defaults.
    init()

    /// The operation to draw, with the present parameters.
    func operation(in context: EffectContext) -> EffectOperation
}

extension Effect {
    /// Nil: values are taken from the ranges.
    public static var example: String? { nil }
    /// False: only the effect's operations decide.
    public static var isStructural: Bool { false }
    /// The type's name.
    public var title: String { Self.name }
}

/// The properties of the picture that an effect may depend on.
///
/// Use it in ``Effect/operation(in:)``.
public struct EffectContext: Sendable, Hashable {
    /// The matrix whose weights luma has.
    public var matrix: ColorMatrixStandard
    /// The number of drawn pixels for one pixel of the picture at its full size: below 1 for an inset whose chain runs
    /// at the inset's size.
    ///
    /// Radii scale by it.
    public var scale: Double
    /// The drawn size of the whole picture, before any turn later in the chain.
    public var size: PixelSize

    /// A context from matrix, scale and size.
    public init(matrix: ColorMatrixStandard, scale: Double, size: PixelSize) {
        self.matrix = matrix
        self.scale = scale
        self.size = size
    }
}
