/// The results of a series, which show how pip-compose's cost grows.
struct ScalingReport: Codable, Sendable {
    struct Point: Codable, Sendable {
        var label: String
        var x: Double
        var cpuMilliseconds: Spread
    }

    /// The measured points of one pixel format.
    struct Series: Codable, Sendable {
        var name: String
        var points: [Point]

        /// The straight line fitted to the medians; nil for fewer than two different `x`.
        var line: Line? { Line(through: medians) }

        /// The largest deviation of a median from the line, relative to the line's value.
        var deviation: Double? {
            guard let line else { return nil }
            return medians.map { abs(line.deviation(of: $0)) }.max()
        }

        /// The ratio of the highest median to the first median.
        var growth: Double? {
            guard let first = medians.first, let most = medians.map(\.y).max(), first.y > 0 else { return nil }
            return most / first.y
        }

        private var medians: [(x: Double, y: Double)] { points.map { ($0.x, $0.cpuMilliseconds.median) } }
    }

    var id: String
    var title: String
    var axis: String
    var series: [Series]
    var verdicts: [Verdict] = []

    /// Judges the highest value of all series by each threshold.
    ///
    /// The verdict on a ratio or on a start is unknown.
    func verdicts(by thresholds: Thresholds) -> [Verdict] {
        thresholds.targets.map { target in
            switch target.figure {
            case .deviation: target.verdict(series.compactMap(\.deviation).max())
            case .growth: target.verdict(series.compactMap(\.growth).max())
            case .ratio, .start: target.verdict(nil)
            }
        }
    }
}
