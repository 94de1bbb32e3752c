/// The duration of each suite in its last complete run.
public struct TestCosts: Equatable, Sendable, CustomStringConvertible {
    private var seconds: [String: Double] = [:]

    /// Parses lines of a suite's name, a tab and seconds.
    ///
    /// Lines of another form are ignored.
    public init(_ text: String = "") {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t")
            if parts.count == 2, let value = Double(parts[1]) { seconds[String(parts[0])] = value }
        }
    }

    /// The duration of a suite in seconds; nil if none is recorded.
    public subscript(suite: String) -> Double? { seconds[suite] }

    /// Records the durations of the suites in `results`, which must have run with all of their tests.
    ///
    /// Other suites keep their durations.
    public mutating func note(_ results: [TestResult]) {
        for (suite, results) in Dictionary(grouping: results, by: \.test.suite) {
            seconds[suite] = results.reduce(0) { $0 + $1.seconds }
        }
    }

    /// The durations as lines that ``init(_:)`` parses.
    public var description: String {
        seconds.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.rounded(toPlaces: 2))\n" }.joined()
    }
}

extension Double {
    /// The number, rounded to this number of decimal places.
    func rounded(toPlaces places: Int) -> Double {
        let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
        return (self * unit).rounded() / unit
    }
}
