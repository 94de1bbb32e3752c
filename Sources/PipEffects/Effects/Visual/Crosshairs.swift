public import PipFrames

/// Draws crosses at given positions, such as the results of a detector.
///
/// Source: GPUImage, `GPUImageCrosshairGenerator`, here over the picture and with smooth edges.
public struct Crosshairs: Effect {
    public static let name = "crosshairs"
    public static let summary = "draws crosses at given positions"
    public static var parameters: [EffectParameter<Crosshairs>] {
        [
            EffectParameter("places", places: \.places, count: 0...64, "the positions of the crosses"),
            EffectParameter("size", \.size, in: 1...200, unit: "px", "the length of a cross's arms"),
            EffectParameter("width", \.width, in: 0.5...50, unit: "px", "the width of the lines"),
            EffectParameter("color", \.color, "the colour of the lines"),
        ]
    }

    /// The positions of the crosses, at most 64, 0…1 from the left and from the top.
    ///
    /// The default is the middle.
    public var places: [ControlPoint] = [ControlPoint(0.5, 0.5)]
    /// The length of a cross's arms, in pixels of the picture.
    public var size: Float = 10
    /// The width of the crosses' lines, in pixels of the picture.
    public var width: Float = 2
    /// The lines' colour; a translucent colour lets the picture show through.
    public var color = Color.green

    public init() {}
    public init(_ places: [ControlPoint], size: Float = 10, width: Float = 2, color: Color = .green) {
        self.places = places
        self.size = size
        self.width = width
        self.color = color
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard !places.isEmpty else { return .none }
        return .pixel(
            ShaderCall(
                ShaderSource("Crosshairs.frag", PackageResources.Crosshairs_frag),
                Marks.uniforms(places.map { [$0.x, $0.y, 0, 0] }, width, color, context)
                    + [.float("size", Float(context.pixels(size)))]))
    }
}

/// Helpers of effects that draw marks over a picture.
enum Marks {
    /// The largest number of marks of an effect.
    static let limit = 64

    /// Makes the uniforms of marks: the marks as `vec4`, their number, the width of lines in drawn pixels, the colour,
    /// and the picture's sides.
    static func uniforms(
        _ marks: [[Float]], _ width: Float, _ color: Color, _ context: EffectContext
    ) -> [Uniform] {
        let shown = marks.prefix(limit)
        let empty = Array(repeating: Float(0), count: 4 * (limit - shown.count))
        return [
            Uniform("marks", .vectors4(shown.flatMap(\.self) + empty)),
            .vector("lines", Float(shown.count), Float(context.pixels(width))),
            .vector("color", Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha)),
            context.sidesUniform,
        ]
    }
}
