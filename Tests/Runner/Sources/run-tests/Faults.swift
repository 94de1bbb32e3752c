import TestRuns

/// `make faults`: runs the tests of the fault matrix, and writes `docs/faults.md` after a complete run.
struct Faults {
    private static let folder = ".build/faults"
    private static let page = "docs/faults.md"

    let rows: Set<Int>
    private let program: TestProgram
    private let all: [ListedTest]
    private let listed: [ListedTest]
    private let tests: [FaultMatrix.Test]
    private let matrix: FaultMatrix
    private var results: [TestResult] = []
    private var figures: [FaultMatrix.Figure] = []
    private var isSuccess = true

    /// Builds the tests, and chooses the tests of some rows.
    ///
    /// - Parameter rows: The rows to run; an empty set means all.
    /// - Throws: ``Failure`` if the tests cannot be built or listed, `Tests/faults.tsv` cannot be parsed, or one of
    ///   `rows` has neither a test nor a note.
    init(rows: Set<Int>) throws {
        self.rows = rows
        try Files.makeFolder(Self.folder)
        var costs = PhaseCosts()
        program = try TestProgram.build(costs: &costs)
        all = try program.tests()
        tests = FaultMatrix.tests(among: all).filter { rows.isEmpty || rows.contains($0.row) }
        let chosen = Set(tests.map(\.identifier))
        listed = all.filter { chosen.contains($0.identifier) }
        do {
            matrix = try FaultMatrix(Files.text("Tests/faults.tsv") ?? "")
        } catch {
            throw Failure(
                "Tests/faults.tsv:\(error.line): a row must be a number, a fault and a promise, separated by tabs")
        }
        let untested = matrix.untested(rows, tests)
        guard untested.isEmpty else {
            let list = untested.map(String.init).joined(separator: ", ")
            throw Failure("these rows have neither a test nor a note in Tests/faults.tsv: \(list)")
        }
    }

    /// Runs the tests, prints a line for each chosen row, and writes the page if all rows were chosen and the camera
    /// lab is ready.
    ///
    /// - Returns: True if no test failed.
    /// - Throws: ``Failure`` if the camera lab is broken, a measurement must not be published, or the page cannot be
    ///   written.
    mutating func run() throws -> Bool {
        let isOfLab = { (test: ListedTest) in test.identifier.module == "LabTests" }
        run(listed.filter { !isOfLab($0) }, "host")
        let lab = try Lab.prepare()
        if case .missing(let reason) = lab {
            complain("the tests in the camera lab are skipped: \(reason)")
            results += listed.filter(isOfLab).map { TestResult($0.identifier, .skipped(reason)) }
        } else {
            run(listed.filter(isOfLab), "lab")
        }
        print(rendered(as: .text), terminator: "")
        let revealing = figures.filter(\.isPrivate)
        guard revealing.isEmpty else {
            throw Failure(
                "\(Self.page) is not written, because these figures contain an absolute path or a time of day:\n"
                    + revealing.map { "\($0.row): \($0.text)" }.joined(separator: "\n"))
        }
        if rows.isEmpty, lab.isReady { try Files.write(rendered(as: .table), to: Self.page) }
        return isSuccess
    }

    /// Runs tests, and collects their results and measurements.
    private mutating func run(_ tests: [ListedTest], _ name: String) {
        guard !tests.isEmpty else { return }
        let path = "\(Files.root)/\(Self.folder)/\(name).figures"
        Files.remove(path)
        var runner = JobRunner(program, folder: Self.folder)
        runner.launcher = { testClass in
            testClass == .lab
                ? Lab.launcher(limitInSeconds: 100_000, hasVirtualTime: true) : Lab.launcher(of: testClass)
        }
        runner.environment = [
            "PIP_FAULT_FIGURES": path, "PIP_SOAK_HOURS": Environment["SOAK_HOURS"] ?? "0.25", "PIP_SOAK_SEED": "1",
        ]
        runner.testLimit = 4 * 3600
        // Tests run one at a time, so that measurements do not include the load of other tests.
        runner.width = 1
        runner.isTold = false
        runner.run(Schedule(tests, of: all, costs: TestCosts(), hasLab: true))
        results += runner.summary.results
        isSuccess = isSuccess && runner.summary.isSuccess
        figures += FaultMatrix.Figure.list(Files.text(path) ?? "")
    }

    private func rendered(as format: FaultMatrix.Format) -> String {
        matrix.rendered(
            as: format, rows: rows, tests: tests, results: results, figures: figures)
    }
}
