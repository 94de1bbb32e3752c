/// The median and the range of several values.
struct Spread: Codable, Sendable, Equatable {
    var median: Double
    var lowest: Double
    var highest: Double
}

extension Spread {
    /// Creates the median and range of values; nil for an empty list.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let lowest = sorted.first, let highest = sorted.last else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        self.init(median: median, lowest: lowest, highest: highest)
    }
}

/// A straight line fitted to points with small relative deviations.
struct Line: Codable, Sendable, Equatable {
    var offset: Double
    var slope: Double

    /// Fits a line by least squares of the relative deviations; nil for fewer than two different `x`.
    init?(through points: [(x: Double, y: Double)]) {
        let weights = points.map { 1 / max($0.y * $0.y, 1e-12) }
        let sum = weights.reduce(0, +)
        let x = zip(points, weights).map { $0.x * $1 }.reduce(0, +) / sum
        let y = zip(points, weights).map { $0.y * $1 }.reduce(0, +) / sum
        let spread = zip(points, weights).map { $1 * ($0.x - x) * ($0.x - x) }.reduce(0, +)
        guard points.count > 1, spread > 0 else { return nil }
        slope = zip(points, weights).map { $1 * ($0.x - x) * ($0.y - y) }.reduce(0, +) / spread
        offset = y - slope * x
    }

    func value(at x: Double) -> Double { offset + slope * x }

    /// The relative deviation of a point from the line, in `y`.
    func deviation(of point: (x: Double, y: Double)) -> Double { point.y / value(at: point.x) - 1 }
}
