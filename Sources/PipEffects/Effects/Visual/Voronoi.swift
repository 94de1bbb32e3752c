/// Shows a Voronoi diagram: cells around points, each in the picture's colour at its point, like a mosaic of crystals.
///
/// Source: GPUImage, `GPUImageJFAVoronoiFilter` and `GPUImageVoronoiConsumerFilter`: the picture's colour at the
/// nearest point, or that point's position. Here each cell of a grid has a point, unless points are given. Distances
/// are exact.
public struct Voronoi: Effect {
    public static let name = "voronoi"
    public static let summary = "shows cells around points, each in one colour"
    public static var parameters: [EffectParameter<Voronoi>] {
        [
            EffectParameter(
                "size", \.size, in: 0.005...0.5, "the side of a grid cell, in shares of the picture's shorter side"),
            EffectParameter(
                "irregularity", \.irregularity, in: 0...1,
                "the displacement of points; 0 is the middle of each grid cell"),
            EffectParameter("seed", \.seed, in: 0...9999, "the seed of the points' displacement"),
            EffectParameter("places", places: \.places, count: 0...64, "points that replace the grid's points"),
            EffectParameter("show", \.show, "the picture's colour at the nearest point, or its position"),
        ]
    }
    public static var example: String? { "0.06" }

    /// The side of the grid's cells, in shares of the picture's shorter side.
    public var size: Float = 0.05
    /// The displacement of points from the centres of their grid cells: from 0 (none) to 1 (anywhere in the cell).
    public var irregularity: Float = 1
    /// The seed of the points' random displacement.
    public var seed = 1
    /// The points that replace the grid's points, at most 64, 0…1 from the left and from the top.
    public var places: [ControlPoint] = []
    /// The property of the nearest point that is drawn: the picture's colour there, or the position.
    public var show = Aspect.color

    public init() {}
    public init(size: Float, irregularity: Float = 1, seed: Int = 1) {
        self.size = size
        self.irregularity = irregularity
        self.seed = seed
    }
    public init(places: [ControlPoint], show: Aspect = .color) {
        self.places = places
        self.show = show
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let shown = places.prefix(Marks.limit)
        let marks = shown.flatMap { [$0.x, $0.y, 0, 0] } + Array(repeating: 0, count: 4 * (Marks.limit - shown.count))
        return .sampler(
            ShaderCall(
                ShaderSource("Voronoi.frag", PackageResources.Voronoi_frag),
                [
                    Uniform("marks", .vectors4(marks)), context.sidesUniform,
                    .vector("mesh", size, irregularity, Float(seed)),
                    .vector("how", Float(shown.count), show == .position ? 1 : 0),
                ], isSteep: true))
    }

    /// The property of the nearest point that ``Voronoi`` draws: the picture's colour there, or the position.
    public enum Aspect: String, Sendable, CaseIterable {
        case color, position
    }
}
