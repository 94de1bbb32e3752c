internal import PipFrames

/// The perspective of the road, which maps distances ahead to positions in the picture.
///
/// A point's `near` is 0 at the horizon, and 1 at the picture's lower edge.
struct RoadView {
    let width: Float
    let height: Float
    let horizon: Float
    /// The curvature of the road, from -1 (left) to 1 (right).
    var bend: Float = 0
    /// The distance travelled since the beginning of the drive, in metres.
    var travelled: Float = 0

    /// The distance ahead that the picture's lower edge shows, in metres.
    private static let nearest: Float = 4

    init(_ size: PixelSize) {
        width = Float(size.width)
        height = Float(size.height)
        // The horizon is an even row, so that no chroma sample contains ground and sky.
        horizon = Float((size.height * 52 / 100).roundedDown(to: 2))
    }

    /// The number of rows from the horizon to the lower edge.
    var depth: Float { max(height - horizon, 1) }

    func distance(_ near: Float) -> Float { Self.nearest / max(near, 0.001) }

    func near(_ distance: Float) -> Float { Self.nearest / max(distance, 0.1) }

    func row(_ near: Float) -> Float { horizon + near * depth }

    func center(_ near: Float) -> Float {
        let far = max(1 - near, 0)
        return width * (0.5 + 0.26 * bend * far * far * far)
    }

    func halfRoad(_ near: Float) -> Float { 0.46 * width * near }

    /// The share of the road between two distances that is marked, where markings cover `part` of each `period`.
    func coverage(_ from: Float, _ to: Float, period: Float, part: Float) -> Float {
        func marked(_ distance: Float) -> Float {
            let periods = (distance + travelled) / period
            let whole = periods.rounded(.down)
            return whole * part + min(periods - whole, part)
        }
        let length = abs(from - to) / period
        return length > 0 ? min(max(abs(marked(from) - marked(to)) / length, 0), 1) : 0
    }
}
