/// The result of one test.
public struct TestResult: Equatable, Sendable {
    /// The outcome of a test run.
    public enum Outcome: Equatable, Sendable {
        case passed
        /// The test failed, and recorded issues with these messages.
        case failed([String])
        /// The test was skipped for this reason, which is empty if none was given.
        case skipped(String)
    }

    public let test: TestIdentifier
    public let outcome: Outcome
    /// The time from the start to the end of the test, in seconds; 0 for a test that was skipped or did not end.
    public let seconds: Double

    public init(_ test: TestIdentifier, _ outcome: Outcome, seconds: Double = 0) {
        self.test = test
        self.outcome = outcome
        self.seconds = seconds
    }

    public var isFailure: Bool { if case .failed = outcome { true } else { false } }
}

/// The numbers of tests by outcome.
public struct Tally: Equatable, Sendable, CustomStringConvertible {
    public var passed = 0
    public var failed = 0
    public var skipped = 0

    public init(passed: Int = 0, failed: Int = 0, skipped: Int = 0) {
        self.passed = passed
        self.failed = failed
        self.skipped = skipped
    }

    /// Counts the outcomes of results.
    public init(_ results: some Sequence<TestResult>) {
        self.init()
        for result in results {
            switch result.outcome {
            case .passed: passed += 1
            case .failed: failed += 1
            case .skipped: skipped += 1
            }
        }
    }

    /// The numbers as text, such as `12 passed, 0 failed, 1 skipped`.
    public var description: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }
}
