import TestRuns

/// `make faults`: every fault of the fault matrix, and `docs/faults.md`.
struct Faults {
    private static let folder = ".build/faults"
    private static let page = "docs/faults.md"

    let rows: Set<Int>
    private let program: TestProgram
    private let listed: [ListedTest]
    private let tests: [FaultMatrix.Test]
    private let matrix: FaultMatrix
    private let realTime: RealTimeList
    private var results: [TestResult] = []
    private var secondTries: Set<TestIdentifier> = []
    private var figures: [FaultMatrix.Figure] = []
    private var hasProblem = false

    /// Builds what it needs.
    ///
    /// - Parameter rows: Those to be shown; empty for all.
    /// - Throws: ``Failure`` when something does not build, or there is no such test.
    init(rows: Set<Int>) throws {
        self.rows = rows
        try Files.makeFolder(Self.folder)
        program = try TestProgram.build()
        let rowsWanted = rows
        let listed = try program.tests(into: Self.folder)
        tests = FaultMatrix.tests(among: listed).filter { rowsWanted.isEmpty || rowsWanted.contains($0.row) }
        let chosen = Set(tests.map(\.identifier))
        self.listed = listed.filter { chosen.contains($0.identifier) }
        realTime = try RealTimeList.read()
        do {
            matrix = try FaultMatrix(Files.text("Tests/faults.tsv") ?? "")
        } catch {
            throw Failure("Tests/faults.tsv:\(error.line): not \"row, fault, promise, note\"")
        }
    }

    /// Runs the tests, prints a line a row, and writes the page if all rows could be tried.
    ///
    /// - Returns: True when nothing failed.
    mutating func run() throws -> Bool {
        let isOfLab = { (test: ListedTest) in test.identifier.description.hasPrefix("LabTests.") }
        let virtual = try SuitePart.lab.selection(matching: nil, hasLab: true)?.tests(of: listed) ?? []
        let slow = try SuitePart.slow.selection(matching: nil, hasLab: true)?.tests(of: listed) ?? []
        run("host", listed.filter { !isOfLab($0) }, ["timeout", "900"])
        let lab = try Lab.prepare()
        if case .missing(let reason) = lab {
            complain("without the camera lab: \(reason)")
            results += listed.filter(isOfLab).map { TestResult($0.identifier, .skipped(reason)) }
        } else {
            run("slow", slow, Lab.launcher(limitInSeconds: 900))
            let hours = Environment["SOAK_HOURS"] ?? "0.25"
            run(
                "lab", virtual, Lab.launcher(limitInSeconds: 100_000, hasVirtualTime: true),
                ["PIP_SOAK_HOURS": hours, "PIP_SOAK_SEED": "1"])
        }
        print(rendered(as: .text), terminator: "")
        let revealing = figures.filter(\.isPrivate)
        guard revealing.isEmpty else {
            throw Failure(
                "these figures hold a path or a time: they are not kept\n"
                    + revealing.map { "\($0.row): \($0.text)" }.joined(separator: "\n"))
        }
        if rows.isEmpty, lab.isReady { try Files.write(rendered(as: .table), to: Self.page) }
        return !hasProblem && !results.contains(where: \.isFailure)
    }

    /// Runs tests one after the other.
    private mutating func run(
        _ name: String, _ tests: [ListedTest], _ launcher: [String], _ environment: [String: String] = [:]
    ) {
        guard !tests.isEmpty else { return }
        let path = "\(Files.root)/\(Self.folder)/\(name).figures"
        Files.remove(path)
        var run = TestRun(
            name: name, launcher: launcher, program: program,
            selection: Selection(filter: TestIdentifier.expression(for: tests.map(\.identifier))),
            folder: Self.folder, width: 1)
        run.environment = environment.merging(["PIP_FAULT_FIGURES": path]) { $1 }
        run.isQuiet = true
        let result = run.judged(status: run.command().run(), expected: tests, realTime: realTime)
        if result.problem != nil {
            hasProblem = true
            let reported = Set(result.results.map(\.test))
            results += tests.filter { !reported.contains($0.identifier) }.map {
                TestResult($0.identifier, .failed(["it did not end"]))
            }
        }
        results += result.final
        secondTries.formUnion(result.secondTries.filter { !$0.isFailure }.map(\.test))
        figures += FaultMatrix.Figure.list(Files.text(path) ?? "")
    }

    private func rendered(as format: FaultMatrix.Format) -> String {
        matrix.rendered(
            as: format, rows: rows, tests: tests, results: results, secondTries: secondTries, figures: figures)
    }
}
