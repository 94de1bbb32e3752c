import TestRuns

/// `make test`: runs the chosen tests on this machine and in the camera lab.
struct Suite {
    private static let folder = ".build/test-logs"
    private static let costsPath = ".build/test-costs.tsv"

    let choice: Choice
    private var costs = PhaseCosts()

    init(_ choice: Choice) { self.choice = choice }

    /// Builds and runs the chosen tests, and prints the results.
    ///
    /// - Returns: True if no test failed.
    /// - Throws: ``Failure`` if less than 500 MB are free, the tests cannot be chosen or built, no test matches, a file
    ///   cannot be written, or the camera lab is broken. It is no error if a change affects only tests that are left to
    ///   a full run.
    mutating func run() throws -> Bool {
        try Files.requireSpace(megabytes: 500)
        try Files.makeFolder(Self.folder)
        let resolved = try choice.resolved()
        if resolved.targets?.isEmpty == true {
            print("no test depends on the changed files")
            return true
        }
        let program = try TestProgram.build(resolved.targets?.sorted(), costs: &costs)
        let all = try program.tests()
        let tests = all.filter(resolved.takes)
        if tests.isEmpty {
            // A change may affect only tests that are left to a full run.
            guard let left = resolved.leftOut else {
                var problem = "no test is chosen"
                if case .matching(let pattern) = choice { problem = "no test's identifier matches \"\(pattern)\"" }
                throw Failure("\(problem); Tests/run test runs all tests", status: 64)
            }
            print(left)
            return true
        }
        let needsLab = tests.contains { TestClass(of: $0.identifier, hasLab: true).isInLab }
        let lab = needsLab ? try prepareLab() : .ready
        var runner = JobRunner(program, folder: Self.folder)
        runner.launcher = Lab.launcher(of:)
        if case .missing(let reason) = lab { runner.environment["PIP_LAB_MISSING"] = reason }
        var known = TestCosts(Files.text(Self.costsPath) ?? "")
        print("== \(tests.count) tests")
        runner.costs = costs
        runner.run(Schedule(tests, of: all, costs: known, hasLab: lab.isReady))
        // A suite may have run only in part with a pattern, so the duration of the suite is not recorded.
        if case .matching = choice {} else { known.note(runner.summary.results) }
        try Files.write(known.description, to: Self.costsPath)
        print("== the slowest tests\n\(runner.summary.slowest(20))")
        print("== where the time went\n\(runner.costs.text(processors: Clock.processors))")
        if let left = resolved.leftOut { print(left) }
        print(runner.summary.text)
        return runner.summary.isSuccess
    }

    private mutating func prepareLab() throws(Failure) -> Lab {
        let start = Clock.now
        defer { costs.add(to: "guest", start: start, end: Clock.now, processorSeconds: 0) }
        return try Lab.prepare()
    }
}
