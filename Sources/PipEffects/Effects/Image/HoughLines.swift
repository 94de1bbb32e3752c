internal import Glibc
public import PipFrames

/// Finds straight edges, and draws them as lines over the picture.
///
/// Source: GPUImage, `GPUImageHoughTransformLineDetector`; Duda and Hart, "Use of the Hough transformation to detect
/// lines and curves in pictures". The picture is reduced to at most 320 pixels on its longer side, and ``Canny`` finds
/// its edge pixels. Each edge pixel votes for the lines through it, which have 180 directions and 256 distances from
/// the middle. A line is found where the votes have a maximum within 5° and 4 steps of distance.
public struct HoughLines: Effect {
    public static let name = "hough-lines"
    public static let summary = "finds straight edges and draws them"
    public static var parameters: [EffectParameter<HoughLines>] {
        [
            EffectParameter(
                "threshold", \.threshold, in: 0.05...2,
                "the least length of a line's edges, in shares of the picture's shorter side"),
            EffectParameter("edge", \.edge, in: 0.01...4, "the gradient of luma of an edge of full strength"),
            EffectParameter("count", \.count, in: 1...32, "the largest number of lines"),
            EffectParameter("width", \.width, in: 0.5...50, unit: "px", "the width of the lines"),
            EffectParameter("color", \.color, "the colour of the lines"),
        ]
    }
    public static var example: String? { "0.35:width=3:color=yellow" }

    /// The smallest total length of the edges that make a line, in shares of the picture's shorter side.
    public var threshold: Float = 0.4
    /// The value of ``Canny/upper``, a gradient of luma; ``Canny/lower`` is half of this value.
    public var edge: Float = 0.4
    /// The largest number of lines to draw, 1…32.
    ///
    /// Lines with longer edges come first.
    public var count = 10
    /// The width of the lines, in pixels of the picture.
    public var width: Float = 2
    /// The lines' colour, whose alpha is ignored.
    public var color = Color.green

    public init() {}
    public init(threshold: Float, count: Int = 10, color: Color = .green) {
        self.threshold = threshold
        self.count = count
        self.color = color
    }

    private static let directions = 180
    private static let cell = 16

    public func operation(in context: EffectContext) -> EffectOperation {
        let factor = max(max(context.size.width, context.size.height).dividedUp(by: 320), 1)
        var smaller = context
        smaller.size = PixelSize(
            context.size.width.dividedUp(by: factor), context.size.height.dividedUp(by: factor))
        // Canny's blur is applied to the reduced picture, so its radius is in reduced pixels.
        smaller.scale = 1
        var canny = Canny()
        (canny.radius, canny.upper, canny.lower) = (1, edge, edge * 0.5)
        let draw = ShaderCall(
            ShaderSource("HoughLines.frag", PackageResources.HoughLines_frag),
            [.float("width", Float(context.pixels(width))), .color("color", color), context.sidesUniform])
        return .tabulated(of: [.shrink(factor), canny.operation(in: smaller)], tables(in: smaller), draw)
    }

    private func tables(in context: EffectContext) -> Tabulation {
        let cells = PixelSize(
            context.size.width.dividedUp(by: Self.cell), context.size.height.dividedUp(by: Self.cell))
        let reach = hypot(context.sides.x, context.sides.y) / 2
        let points = TableStep(
            ShaderCall(ShaderSource("EdgePoints.comp", PackageResources.EdgePoints_comp)),
            size: PixelSize(1 + Self.cell * Self.cell, cells.area), groups: cells, readsPicture: true)
        let votes = TableStep(
            ShaderCall(
                ShaderSource("HoughVotes.comp", PackageResources.HoughVotes_comp),
                [.vector("how", Float(cells.area), Float(reach), Float(Self.directions)), context.sidesUniform]),
            size: PixelSize(256, Self.directions), groups: PixelSize(1, Self.directions))
        let peaks = TableStep(
            ShaderCall(
                ShaderSource("HoughPeaks.comp", PackageResources.HoughPeaks_comp),
                [.vector("how", threshold, Float(reach), Float(Self.directions), Float(count))]),
            size: PixelSize(33, 1))
        return Tabulation([points, votes, peaks])
    }
}
