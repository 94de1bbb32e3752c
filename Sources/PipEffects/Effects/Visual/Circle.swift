public import PipFrames

/// Draws a disc or a ring over the picture, and optionally a colour around it.
///
/// Source: GPUImage2, `CircleGenerator`, here over the picture and with smooth edges.
public struct Circle: Effect {
    public static let name = "circle"
    public static let summary = "draws a disc or a ring, and a colour around it"
    public static var parameters: [EffectParameter<Circle>] {
        [
            EffectParameter(
                "radius", \.radius, in: 0...2, neutral: 0, "the radius, in shares of the picture's shorter side"),
            EffectParameter("x", \.x, in: 0...1, "the centre, in picture widths from the left"),
            EffectParameter("y", \.y, in: 0...1, "the centre, in picture heights from the top"),
            EffectParameter("width", \.width, in: 0...500, unit: "px", "the width of the ring; 0 draws a disc"),
            EffectParameter("color", \.color, "the colour of the disc or ring"),
            EffectParameter("around", \.around, "the colour outside the circle; transparent keeps the picture"),
        ]
    }
    public static var example: String? { "0.35:x=0.4:width=8:color=yellow" }

    /// The radius of the circle, in shares of the picture's shorter side; 0 draws no circle.
    public var radius: Float = 0.25
    /// The centre, 0…1 from left to right.
    public var x: Float = 0.5
    /// The centre, 0…1 from top to bottom.
    public var y: Float = 0.5
    /// The width of a ring, measured inwards from the radius, in pixels of the picture; 0 draws a disc.
    public var width: Float = 0
    /// The colour of the disc or ring.
    public var color = Color.white
    /// The colour outside of the circle; a transparent colour keeps the picture.
    public var around = Color.clear

    public init() {}
    public init(radius: Float, x: Float = 0.5, y: Float = 0.5, width: Float = 0, color: Color = .white) {
        self.radius = radius
        self.x = x
        self.y = y
        self.width = width
        self.color = color
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if radius == 0 && around.alpha == 0 { return .none }
        func vector(_ name: String, _ color: Color) -> Uniform {
            .vector(name, Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha))
        }
        return .pixel(
            ShaderCall(
                ShaderSource("Circle.frag", PackageResources.Circle_frag),
                [
                    .vector("circle", x, y, radius, Float(context.pixels(width))), vector("color", color),
                    vector("around", around), context.sidesUniform,
                ]))
    }
}
