/// Shows squares, each in the picture's colour at the square's centre.
///
/// Source: GPUImage, `GPUImagePixellateFilter`: each pixel reads the position of its cell's centre; cells are square.
public struct Pixellate: Effect {
    public static let name = "pixellate"
    public static let summary = "shows squares of one colour"
    public static var parameters: [EffectParameter<Pixellate>] {
        [
            EffectParameter(
                "size", \.size, in: 0...0.5, neutral: 0, "the side of a square, in shares of the picture's shorter side"
            )
        ]
    }

    /// The side of a square, in shares of the picture's shorter side; 0 changes nothing.
    public var size: Float = 0.05

    public init() {}
    public init(size: Float) { self.size = size }

    public func operation(in context: EffectContext) -> EffectOperation {
        if size <= 0 { return .none }
        return .warp(
            ShaderCall(
                ShaderSource("Pixellate.frag", PackageResources.Pixellate_frag),
                [.vector("cell", size / Float(context.sides.x), size / Float(context.sides.y))]))
    }
}
