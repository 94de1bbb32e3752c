public import PipFrames

/// A change of a frame: a value that holds the parameters, and knows what to draw with them.
///
/// An effect is data. The planner decides in which pass it is drawn; the renderer draws. To add one, see "Adding an
/// effect" in the documentation: one Swift file, and one GLSL file where it needs one.
public protocol Effect: Sendable {
    /// The name on the command line and in plans, in lower case with hyphens, such as `gaussian-blur`.
    static var name: String { get }
    /// One line for `pip-compose effects`.
    static var summary: String { get }
    /// The parameters, the main one first.
    static var parameters: [EffectParameter<Self>] { get }
    /// Values with which it shows, as on the command line after `name=`; nil takes some from the ranges.
    static var example: String? { get }
    /// True when it decides what is seen where, so that it stays when a machine under pressure leaves effects out;
    /// turns, crops and changes of alpha do anyhow.
    static var isStructural: Bool { get }

    /// The name in plans and messages: the type's, unless each value has its own.
    var title: String { get }

    /// An effect with its parameters at their defaults.
    init()

    /// The operation to draw, with the parameters as they are.
    func operation(in context: EffectContext) -> EffectOperation
}

extension Effect {
    /// No values: some are taken from the ranges.
    public static var example: String? { nil }
    /// Not structural, beyond what its operations are.
    public static var isStructural: Bool { false }
    /// The type's name.
    public var title: String { Self.name }
}

/// The picture that an effect is drawn on, as far as an effect may depend on it.
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

    /// A picture by its matrix, scale and size.
    public init(matrix: ColorMatrixStandard, scale: Double, size: PixelSize) {
        self.matrix = matrix
        self.scale = scale
        self.size = size
    }
}
