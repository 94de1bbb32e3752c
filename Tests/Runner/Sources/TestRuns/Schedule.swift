/// Tests that run one after the other in one process.
public struct Job: Equatable, Sendable {
    /// The name of the job's log: `programs-PipMediaTests-3`.
    public let name: String
    public let testClass: TestClass
    public let tests: [ListedTest]
    public let selection: Selection
    /// The expected time, in seconds.
    public let cost: Double

    /// Creates a job.
    public init(name: String, testClass: TestClass, tests: [ListedTest], selection: Selection, cost: Double) {
        self.name = name
        self.testClass = testClass
        self.tests = tests
        self.selection = selection
        self.cost = cost
    }

    /// The job for the tests of this one that did not begin when its process ended.
    public func rest(of remaining: [ListedTest]) -> Job {
        let left = Set(remaining.map(\.identifier))
        let done = tests.map(\.identifier).filter { !left.contains($0) }
        let skip = ([selection.skip].compactMap(\.self) + [TestIdentifier.expression(for: done)]).joined(separator: "|")
        return Job(
            name: "\(name)+", testClass: testClass, tests: remaining,
            selection: Selection(filter: selection.filter, skip: skip),
            cost: cost * Double(remaining.count) / Double(max(1, tests.count)))
    }
}

/// The order in which tests run, and the choice of tests that run at the same time.
///
/// Suites become jobs. The longest job begins first, so that no job ends long after the others. Jobs in the camera lab
/// in real time begin before all, because they need more room than the end of another job leaves.
public struct Schedule: Sendable {
    /// The jobs that have not begun, in the order in which they will.
    public private(set) var waiting: [Job]

    /// Makes jobs from tests.
    ///
    /// - Parameters:
    ///   - tests: The tests to run.
    ///   - all: All tests of the program.
    ///   - costs: The times of earlier runs.
    ///   - hasLab: True when the camera lab can be used.
    public init(_ tests: [ListedTest], of all: [ListedTest], costs: TestCosts, hasLab: Bool) {
        let sizes = Dictionary(grouping: all, by: \.identifier.suite).mapValues(\.count)
        let classes = Dictionary(grouping: tests) { TestClass(of: $0.identifier, hasLab: hasLab) }
        let jobs = classes.flatMap { testClass, tests in
            Dictionary(grouping: tests, by: \.identifier.module).flatMap { module, tests in
                Self.jobs(of: tests, in: module, testClass, costs, sizes)
            }
        }
        waiting = jobs.sorted { one, other in
            let order = [one, other].map { $0.testClass == .slowLab ? 1 : 0 }
            return (order[0], one.cost, other.name) > (order[1], other.cost, one.name)
        }
    }

    /// The jobs of a test target.
    ///
    /// Suites go by their cost, each into the first job that has room for it.
    private static func jobs(
        of tests: [ListedTest], in module: String, _ testClass: TestClass, _ costs: TestCosts,
        _ sizes: [String: Int]
    ) -> [Job] {
        let suites = Dictionary(grouping: tests, by: \.identifier.suite).map { suite, tests in
            let share = Double(tests.count) / Double(sizes[suite] ?? tests.count)
            return (
                name: suite, tests: tests,
                filter: share < 1 ? TestIdentifier.expression(for: tests.map(\.identifier)) : expression(for: suite),
                cost: costs[suite].map { $0 * share } ?? Double(tests.count) * testClass.assumedSeconds
            )
        }
        var bins: [(filters: [String], tests: [ListedTest], cost: Double)] = []
        for suite in suites.sorted(by: { ($0.cost, $1.name) > ($1.cost, $0.name) }) {
            if let index = bins.firstIndex(where: { $0.cost + suite.cost <= testClass.jobSeconds }) {
                bins[index].filters.append(suite.filter)
                bins[index].tests += suite.tests
                bins[index].cost += suite.cost
            } else {
                bins.append(([suite.filter], suite.tests, suite.cost))
            }
        }
        return bins.enumerated().map { index, bin in
            Job(
                name: "\(testClass.rawValue)-\(module)-\(index + 1)", testClass: testClass, tests: bin.tests,
                selection: Selection(filter: bin.filters.sorted().joined(separator: "|")), cost: bin.cost)
        }
    }

    /// An expression for the functions of a suite, without the functions of suites inside it.
    private static func expression(for suite: String) -> String {
        "^\(suite.split(separator: ".").joined(separator: "\\."))[./][^/(]*\\("
    }

    /// Takes the next job that may begin.
    ///
    /// - Parameter running: The running jobs.
    /// - Returns: The first job for which the machine has room beside the running ones; nil when there is none.
    public mutating func next(beside running: [Job]) -> Job? {
        var taken: [MachineShare: Int] = [:]
        for job in running { taken.merge(job.testClass.needs, uniquingKeysWith: +) }
        let index = waiting.firstIndex { job in
            job.testClass.needs.allSatisfy { share, need in taken[share, default: 0] + need <= share.size }
        }
        return index.map { waiting.remove(at: $0) }
    }

    /// Puts a job in front of the waiting ones.
    public mutating func resume(_ job: Job) { waiting.insert(job, at: 0) }
}
