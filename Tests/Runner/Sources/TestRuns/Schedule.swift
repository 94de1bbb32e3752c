/// Tests that one process runs one after another.
public struct Job: Equatable, Sendable {
    /// The name of the job's log, such as `programs-PipMediaTests-3`.
    public let name: String
    public let testClass: TestClass
    public let tests: [ListedTest]
    public let selection: Selection
    /// The expected duration, in seconds.
    public let cost: Double

    public init(name: String, testClass: TestClass, tests: [ListedTest], selection: Selection, cost: Double) {
        self.name = name
        self.testClass = testClass
        self.tests = tests
        self.selection = selection
        self.cost = cost
    }

    /// Makes a job that runs `remaining`, the tests that this job did not start.
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

/// The jobs of a run, and the order in which they start.
///
/// All chosen tests of a suite are in the same job. Jobs in the camera lab in real time come first, because each needs
/// more of the machine than a single ending job frees. The other jobs are sorted by descending duration, so that no
/// job ends long after the others.
public struct Schedule: Sendable {
    /// The jobs that have not started, in their order.
    public private(set) var waiting: [Job]

    /// Divides tests into jobs.
    ///
    /// - Parameters:
    ///   - tests: The tests to run.
    ///   - all: All tests of the program, from which the sizes of suites are derived.
    ///   - costs: The durations of suites in earlier runs.
    ///   - hasLab: True if the camera lab can be used.
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

    /// Divides the tests of a target and class into jobs.
    ///
    /// Suites are assigned by descending duration, each to the first job that has enough time left, or to a new job.
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

    /// A regular expression that matches the functions of a suite, but not those of suites inside it.
    private static func expression(for suite: String) -> String {
        "^\(suite.split(separator: ".").joined(separator: "\\."))[./][^/(]*\\("
    }

    /// Removes the first job for which the machine has room, and returns it.
    ///
    /// - Parameter running: The running jobs.
    /// - Returns: The job; nil if no waiting job fits beside the running ones.
    public mutating func next(beside running: [Job]) -> Job? {
        var taken: [MachineShare: Int] = [:]
        for job in running { taken.merge(job.testClass.needs, uniquingKeysWith: +) }
        let index = waiting.firstIndex { job in
            job.testClass.needs.allSatisfy { share, need in taken[share, default: 0] + need <= share.size }
        }
        return index.map { waiting.remove(at: $0) }
    }

    /// Puts a job before all waiting jobs.
    public mutating func resume(_ job: Job) { waiting.insert(job, at: 0) }
}
