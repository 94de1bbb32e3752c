public import PipFrames

/// An effect on a frame: a value that holds the parameters and returns the operation to draw.
///
/// The planner decides in which pass the operation is drawn, and the renderer draws it. To add an effect, see "Adding
/// an effect" in the documentation: one Swift file, and one GLSL file if needed.
public protocol Effect: Sendable {
    /// The name on the command line, in lower case with hyphens, such as `gaussian-blur`.
    static var name: String { get }
    /// One line of help, as in the list of `pip-compose effects`.
    static var summary: String { get }
    /// The parameters, the main one first.
    static var parameters: [EffectParameter<Self>] { get }
    /// Parameter values that make the effect visible, as written after `name=` on the command line.
    ///
    /// If nil, examples use the default values.
    static var example: String? { get }
    /// True when the effect decides which pixels are visible, so that it stays when pressure makes the session leave
    /// effects out. Rotations, crops and changes of alpha always stay.
    static var isStructural: Bool { get }

    /// The name in plans and messages. By default, ``name``.
    var title: String { get }

    /// Creates an effect with default parameters.
    init()

    /// Returns the operation to draw with the present parameters.
    func operation(in context: EffectContext) -> EffectOperation
}

extension Effect {
    /// Nil, so that examples use the default values.
    public static var example: String? { nil }
    /// False, so that the operation alone decides whether the effect stays under pressure.
    public static var isStructural: Bool { false }
    /// The effect's ``name``.
    public var title: String { Self.name }
}

/// The properties of the picture that an effect's operation may depend on.
///
/// ``Effect/operation(in:)`` takes this context.
public struct EffectContext: Sendable, Hashable {
    /// The Y'CbCr matrix that gives the weights of luma.
    public var matrix: ColorMatrixStandard
    /// The ratio of the drawn width to the width of the picture at its full size.
    ///
    /// Below 1 for an inset that is processed at its reduced size. An effect must multiply radii by this scale.
    public var scale: Double
    /// The drawn size of the complete picture, before any rotation later in the chain.
    public var size: PixelSize

    /// Creates a context from the matrix, the scale and the drawn size.
    public init(matrix: ColorMatrixStandard, scale: Double, size: PixelSize) {
        self.matrix = matrix
        self.scale = scale
        self.size = size
    }
}
