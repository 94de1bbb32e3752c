/// The time that each suite took in its last run.
public struct TestCosts: Equatable, Sendable, CustomStringConvertible {
    private var seconds: [String: Double] = [:]

    /// Reads lines of a suite, a tab and seconds.
    ///
    /// Other lines are ignored.
    public init(_ text: String = "") {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t")
            if parts.count == 2, let value = Double(parts[1]) { seconds[String(parts[0])] = value }
        }
    }

    /// The seconds of a suite; nil for a suite that never ran.
    public subscript(suite: String) -> Double? { seconds[suite] }

    /// Records the results of whole suites.
    ///
    /// The costs of other suites stay.
    public mutating func note(_ results: [TestResult]) {
        for (suite, results) in Dictionary(grouping: results, by: \.test.suite) {
            seconds[suite] = results.reduce(0) { $0 + $1.seconds }
        }
    }

    /// The lines that ``init(_:)`` reads.
    public var description: String {
        seconds.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value.rounded(toPlaces: 2))\n" }.joined()
    }
}

extension Double {
    /// The nearest number with this number of decimal places.
    func rounded(toPlaces places: Int) -> Double {
        let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
        return (self * unit).rounded() / unit
    }
}
