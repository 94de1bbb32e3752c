/// The result of one test in one run of it.
public struct TestResult: Equatable, Sendable {
    /// How a test ended.
    public enum Outcome: Equatable, Sendable {
        case passed
        /// With what was recorded.
        case failed([String])
        /// With the reason; empty where none was given.
        case skipped(String)
    }

    public let test: TestIdentifier
    public let outcome: Outcome

    /// Creates a result.
    public init(_ test: TestIdentifier, _ outcome: Outcome) {
        self.test = test
        self.outcome = outcome
    }

    /// True when it failed.
    public var isFailure: Bool { if case .failed = outcome { true } else { false } }
}

/// Numbers of tests by outcome.
public struct Tally: Equatable, Sendable, CustomStringConvertible {
    public var passed = 0
    public var failed = 0
    public var skipped = 0

    /// Creates one of nothing.
    public init(passed: Int = 0, failed: Int = 0, skipped: Int = 0) {
        self.passed = passed
        self.failed = failed
        self.skipped = skipped
    }

    /// Counts results.
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

    public static func + (left: Self, right: Self) -> Self {
        Tally(
            passed: left.passed + right.passed, failed: left.failed + right.failed,
            skipped: left.skipped + right.skipped)
    }

    public static func += (left: inout Self, right: Self) { left = left + right }

    /// The closing line of a run, which other programs read.
    public var description: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }
}
