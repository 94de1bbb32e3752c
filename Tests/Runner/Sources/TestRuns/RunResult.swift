/// The results of a process that ran tests, and of the second one that tried some again.
public struct RunResult: Sendable {
    /// Of the first try.
    public private(set) var results: [TestResult]
    /// The tests that had a second try, with the result of that.
    public private(set) var secondTries: [TestResult] = []
    /// Why the run as a whole failed, whatever its tests said; nil if it did not.
    public let problem: String?

    /// Judges a run.
    ///
    /// - Parameters:
    ///   - report: What the process wrote; nil where it wrote none, or not all of it.
    ///   - status: Its exit status.
    ///   - expected: The tests that were to run.
    public init(report: TestReport?, status: Int32, expected: [ListedTest]) {
        results = report?.results ?? []
        let reported = Set(results.map(\.test))
        let missing = expected.filter { !reported.contains($0.identifier) }
        let hasFailures = results.contains(where: \.isFailure)
        if report == nil {
            problem = "ended with status \(status) and without a report"
        } else if let first = missing.first {
            problem =
                "ended with status \(status) without \(missing.count) of \(expected.count) tests: \(first.identifier) …"
        } else if status != 0, !hasFailures {
            problem = "ended with status \(status), though no test failed"
        } else {
            problem = nil
        }
    }

    /// The failures that may be tried again.
    public func candidates(by list: RealTimeList) -> [TestIdentifier] {
        problem == nil ? results.filter { $0.isFailure && list.entry(for: $0.test) != nil }.map(\.test) : []
    }

    /// Notes how the second try of some tests ended; one that it does not tell of has failed again.
    public mutating func addSecondTry(of tests: [TestIdentifier], report: TestReport?) {
        for test in tests {
            let again = report?.results.first { $0.test == test }
            secondTries.append(again ?? TestResult(test, .failed(["its second try ended early"])))
        }
    }

    /// What counts of each test: its second try where it had one.
    public var final: [TestResult] {
        results.map { first in secondTries.first { $0.test == first.test } ?? first }
    }

    /// The numbers; a run that failed as a whole counts as one failure more.
    public var tally: Tally { Tally(final) + Tally(failed: problem == nil ? 0 : 1) }
}
