public import PipFrames

/// Draws straight lines between given positions, such as the results of a detector.
///
/// Source: GPUImage, `GPUImageLineGenerator`, here over the picture and with smooth edges.
public struct Lines: Effect {
    public static let name = "lines"
    public static let summary = "draws straight lines"
    public static var parameters: [EffectParameter<Lines>] {
        [
            EffectParameter("places", places: \.places, count: 0...128, isPaired: true, "the two ends of each line"),
            EffectParameter("width", \.width, in: 0.5...50, unit: "px", "the width of the lines"),
            EffectParameter("color", \.color, "the colour of the lines"),
            EffectParameter("endless", \.isEndless, "whether lines extend beyond their ends"),
        ]
    }

    /// The two ends of each line, one line after the other, at most 64 lines.
    ///
    /// Positions are 0…1 from the left and from the top.
    ///
    /// The default is the picture's diagonals.
    public var places: [ControlPoint] = [
        ControlPoint(0, 0), ControlPoint(1, 1), ControlPoint(0, 1), ControlPoint(1, 0),
    ]
    /// The width of the lines, in pixels of the picture.
    public var width: Float = 2
    /// The lines' colour; a translucent colour lets the picture show through.
    public var color = Color.green
    /// True to extend lines beyond their ends.
    public var isEndless = false

    public init() {}
    public init(_ places: [ControlPoint], width: Float = 2, color: Color = .green, isEndless: Bool = false) {
        self.places = places
        self.width = width
        self.color = color
        self.isEndless = isEndless
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let lines = stride(from: 0, to: places.count - 1, by: 2).map { index in
            [places[index].x, places[index].y, places[index + 1].x, places[index + 1].y]
        }
        guard !lines.isEmpty else { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("Lines.frag", PackageResources.Lines_frag),
                Marks.uniforms(lines, width, color, context) + [.float("endless", isEndless ? 1 : 0)]))
    }
}
