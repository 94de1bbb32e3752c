/// The progress of a process that runs tests, derived from the events that the process reports.
public struct JobProgress: Sendable {
    /// The tests that the process was started to run.
    public let expected: [ListedTest]
    /// The results of the expected tests so far, in the order in which the tests ended or were skipped.
    public private(set) var results: [TestResult] = []
    /// The start times of the running tests and suites, in seconds of a monotonic clock.
    public private(set) var running: [TestIdentifier: Double] = [:]
    private var issues: [TestIdentifier: [String]] = [:]
    private var strayIssues: [String] = []
    private var skippedSuites: [(suite: TestIdentifier, reason: String)] = []
    private var isWhole = false

    public init(expecting expected: [ListedTest]) { self.expected = expected }

    /// Processes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event's arrival, in seconds of a monotonic clock.
    public mutating func take(_ event: TestEvent, at now: Double) {
        switch event {
        case .started(let test): running[test] = now
        case .failed(let test?, let message): issues[test, default: []].append(message)
        case .failed(nil, let message): strayIssues.append(message)
        case .ended(let test):
            guard let start = running.removeValue(forKey: test), isExpected(test) else { return }
            let messages = issues[test] ?? []
            results.append(TestResult(test, messages.isEmpty ? .passed : .failed(messages), seconds: now - start))
        case .skipped(let test, let reason):
            running[test] = nil
            if isExpected(test) {
                results.append(TestResult(test, .skipped(reason)))
            } else {
                skippedSuites.append((test, reason))
            }
        case .runEnded: isWhole = true
        }
    }

    private func isExpected(_ test: TestIdentifier) -> Bool { expected.contains { $0.identifier == test } }

    /// The expected test that has been running for the longest time, if for more than `limit` seconds; nil otherwise.
    public func overdue(after limit: Double, at now: Double) -> TestIdentifier? {
        running.filter { isExpected($0.key) && now - $0.value > limit }.min { $0.value < $1.value }?.key
    }

    /// The results of a process that has ended.
    public struct Verdict: Equatable, Sendable {
        public var results: [TestResult]
        /// The reason why the process as a whole failed; nil if only the results of its tests count.
        public var problem: String?
        /// The tests that did not start because the process ended early, for another process to run.
        ///
        /// Empty if the process has no result of any test, or reported the end of all its tests.
        public var remaining: [ListedTest] = []
    }

    /// Returns the results of a process that has ended.
    ///
    /// - Parameters:
    ///   - status: The exit status; 128 plus the signal's number for a process that a signal ended.
    ///   - cause: The reason for the end, as a sentence without its full stop; nil if only the status is known.
    /// - Returns: The results, the reason for a failure of the whole process, and the tests for another process.
    public func verdict(status: Int32, cause: String? = nil) -> Verdict {
        var verdict = Verdict(results: results)
        let fate = cause ?? "the process ended with status \(status)"
        for test in running.keys.sorted() where isExpected(test) {
            verdict.results.append(
                TestResult(test, .failed((issues[test] ?? []) + [cause ?? "\(fate) while the test ran"])))
        }
        var missing = expected.filter { listed in !verdict.results.contains { $0.test == listed.identifier } }
        for (suite, reason) in skippedSuites {
            let inside = missing.filter { $0.identifier.description.hasPrefix("\(suite)/") }
            verdict.results += inside.map { TestResult($0.identifier, .skipped(reason)) }
            missing.removeAll { inside.contains($0) }
        }
        if !missing.isEmpty {
            if verdict.results.isEmpty || isWhole {
                let count = "\(missing.count) of \(expected.count) tests"
                verdict.problem = "\(fate); \(count) did not run: \(missing[0].identifier) …"
            } else {
                verdict.remaining = missing
            }
        } else if !strayIssues.isEmpty {
            verdict.problem = strayIssues.joined(separator: "\n")
        } else if status != 0, !verdict.results.contains(where: \.isFailure) {
            verdict.problem = "\(fate), though no test failed"
        }
        return verdict
    }
}
