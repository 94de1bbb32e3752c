internal import Glibc

/// A shape with straight edges and arcs, in pixels from the top left corner.
///
/// Angles are in radians, clockwise from the top.
struct VectorPath {
    /// The corners of each closed contour.
    private(set) var contours: [[SIMD2<Double>]] = []

    /// The largest distance between an arc and the straight pieces in its place, in pixels.
    private static let flatness = 0.05

    mutating func addPolygon(_ corners: [SIMD2<Double>]) { contours.append(corners) }

    mutating func addDisc(at center: SIMD2<Double>, radius: Double) {
        addPolygon(Self.arc(around: center, radius: radius, from: 0, to: 2 * .pi))
    }

    /// Adds a part of a ring.
    mutating func addRing(
        around center: SIMD2<Double>, radii: ClosedRange<Double>, from start: Double = 0, to end: Double = 2 * .pi
    ) {
        let outer = Self.arc(around: center, radius: radii.upperBound, from: start, to: end)
        addPolygon(outer + Self.arc(around: center, radius: radii.lowerBound, from: start, to: end).reversed())
    }

    /// Adds a line through points, with round joints and ends.
    mutating func addLine(through points: [SIMD2<Double>], width: Double) {
        for point in points { addDisc(at: point, radius: width / 2) }
        for (from, to) in zip(points, points.dropFirst()) {
            let step = to - from
            let length = (step * step).sum().squareRoot()
            guard length > 0 else { continue }
            // Clockwise, as the discs are: contours in one direction cover what either covers.
            let side = SIMD2(step.y, -step.x) * (width / 2 / length)
            addPolygon([from + side, to + side, to - side, from - side])
        }
    }

    /// The point of a circle at an angle.
    static func point(around center: SIMD2<Double>, radius: Double, at angle: Double) -> SIMD2<Double> {
        center + SIMD2(sin(angle), -cos(angle)) * radius
    }

    private static func arc(
        around center: SIMD2<Double>, radius: Double, from start: Double, to end: Double
    ) -> [SIMD2<Double>] {
        let step = 2 * acos(max(0, 1 - flatness / max(radius, flatness)))
        let count = max(1, Int((abs(end - start) / step).rounded(.up)))
        return (0...count).map {
            point(around: center, radius: radius, at: start + (end - start) * Double($0) / Double(count))
        }
    }
}
