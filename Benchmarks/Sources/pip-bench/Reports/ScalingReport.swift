/// The growth of pip-compose's cost.
struct ScalingReport: Codable, Sendable {
    struct Point: Codable, Sendable {
        var label: String
        var x: Double
        var cpuMilliseconds: Spread
    }

    /// A format's points.
    struct Series: Codable, Sendable {
        var name: String
        var points: [Point]

        /// The straight line through the medians.
        var line: Line? { Line(through: medians) }

        /// The largest distance of a median from the line, as a part of the line's value.
        var deviation: Double? {
            guard let line else { return nil }
            return medians.map { abs(line.deviation(of: $0)) }.max()
        }

        /// The highest median over the first.
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

    /// The verdicts on the worst series.
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
