import TestRuns

/// The program that holds all tests.
struct TestProgram {
    let path: String

    /// Builds it.
    ///
    /// - Throws: ``Failure`` when it does not compile.
    static func build() throws(Failure) -> TestProgram {
        guard Command(["swift", "build", "--build-tests"]).run() == 0 else { throw Failure("the tests do not build") }
        return TestProgram(path: try binaries(["swift", "build"]) + "/pip-composePackageTests.xctest")
    }

    /// The folder in which a build leaves its programs.
    static func binaries(_ build: [String], environment: [String: String] = [:]) throws(Failure) -> String {
        var command = Command(build + ["--show-bin-path"])
        command.environment = environment
        let (status, text) = command.output()
        guard status == 0, let line = text.split(separator: "\n").last else {
            throw Failure("\(build.joined(separator: " ")) does not say where it builds")
        }
        return String(line)
    }

    /// All tests that it has.
    ///
    /// - Parameter folder: Takes the list.
    /// - Returns: Their identifiers and names.
    /// - Throws: ``Failure`` when it does not start.
    func tests(into folder: String) throws(Failure) -> [ListedTest] {
        let stream = "\(folder)/tests.json"
        let arguments = ["--testing-library", "swift-testing", "--list-tests", "--event-stream-output-path", stream]
        let (status, _) = Command([path] + arguments).output()
        let listed = ListedTest.list(eventStream: Files.text(stream) ?? "")
        guard status == 0, !listed.isEmpty else { throw Failure("the test program does not list its tests") }
        return listed
    }
}

/// One process of the test program: where it runs, what, and where it leaves its log and its report.
struct TestRun {
    let name: String
    /// What comes before the program: the lab, or a time limit.
    let launcher: [String]
    let program: TestProgram
    let selection: Selection
    let folder: String
    /// How many tests run beside each other.
    var width = 8
    var environment: [String: String] = [:]
    /// True when its lines are printed while it runs.
    var isQuiet = false

    var log: String { "\(folder)/\(name).log" }
    private var reportPath: String { "\(folder)/\(name).xml" }

    /// The process, ready to start; reports of earlier ones are gone then.
    func command() -> Command {
        Files.remove(reportPath)
        // Not all at once: hundreds of them would starve each other.
        let order = width == 1 ? ["--no-parallel"] : ["--experimental-maximum-parallelization-width", String(width)]
        let library = ["--testing-library", "swift-testing", "--xunit-output", reportPath]
        var command = Command(launcher + [program.path] + library + order + selection.arguments)
        command.environment = ["NO_COLOR": "1"].merging(environment) { $1 }
        let isQuiet = isQuiet
        return command.logging(to: log) { !isQuiet && LogFilter.isTelling($0) }
    }

    /// Some of its tests one after the other, with a log and a report of their own.
    private func secondTry(of tests: [TestIdentifier]) -> TestRun {
        TestRun(
            name: "\(name).second", launcher: launcher, program: program,
            selection: Selection(filter: TestIdentifier.expression(for: tests)), folder: folder, width: 1,
            environment: environment, isQuiet: isQuiet)
    }

    /// What the process reported; nil where it left no whole report.
    var report: TestReport? { Files.text(reportPath).flatMap(TestReport.init(xUnit:)) }

    /// Judges the process, and runs those of the named list that failed a second time.
    func judged(status: Int32, expected: [ListedTest], realTime: RealTimeList) -> RunResult {
        var result = RunResult(report: report, status: status, expected: expected)
        if let problem = result.problem {
            complain(Files.tail(log))
            complain("the tests (\(name)) \(problem); what they printed is in \(log)")
        }
        let again = result.candidates(by: realTime)
        guard !again.isEmpty else { return result }
        print("== \(name): a second try for those in real time: \(again.map(\.description).joined(separator: " "))")
        let second = secondTry(of: again)
        _ = second.command().run()
        result.addSecondTry(of: again, report: second.report)
        return result
    }
}
