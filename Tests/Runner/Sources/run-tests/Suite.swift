internal import Glibc
import TestRuns

/// `make test`: every test, on this machine and in the camera lab.
struct Suite {
    private static let folder = ".build/test-logs"
    private static let limitInSeconds = 900

    let pattern: String?
    private let program: TestProgram
    private let lab: Lab
    private let listed: [ListedTest]
    private let realTime: RealTimeList
    private var summary = Summary()

    /// Builds what it needs.
    ///
    /// - Parameter pattern: A regular expression for identifiers, such as `PipGraphTests`; nil for all.
    /// - Throws: ``Failure`` when something does not build, or there is no such test.
    init(pattern: String?) throws {
        self.pattern = pattern
        try Files.makeFolder(Self.folder)
        program = try TestProgram.build()
        listed = try program.tests(into: Self.folder)
        realTime = try RealTimeList.read()
        for entry in realTime.stale(among: listed) {
            throw Failure("\(RealTimeList.path): no test is named \(entry.prefix)")
        }
        if let pattern, try Selection(filter: pattern).tests(of: listed).isEmpty {
            throw Failure("no test is named \(pattern)", status: 64)
        }
        lab = try Lab.prepare()
    }

    /// Runs it all.
    ///
    /// - Returns: True when nothing failed.
    mutating func run() throws -> Bool {
        try runTogether([.host, .lab])
        try runTogether([.slow])
        try runTogether([.sessions])
        try runTogether([.media])
        if pattern == nil {
            checkRunner()
            checkOutside()
            checkBenchmarks()
            checkAllocations()
        }
        print(summary.text)
        return summary.isSuccess
    }

    /// Runs parts of the suite beside each other; those without tests are left out.
    private mutating func runTogether(_ parts: [SuitePart]) throws {
        var runs: [(run: TestRun, tests: [ListedTest])] = []
        for part in parts {
            guard let selection = part.selection(matching: pattern, hasLab: lab.isReady) else { continue }
            let tests = try selection.tests(of: listed)
            if tests.isEmpty { continue }
            runs.append((run(of: part, selection), tests))
            print("== \(part.title): \(tests.count) tests")
        }
        let statuses = Command.run(runs.map { $0.run.command() })
        for (index, status) in statuses.enumerated() {
            let result = runs[index].run.judged(status: status, expected: runs[index].tests, realTime: realTime)
            summary.add(result, named: runs[index].run.name, realTime: realTime)
        }
    }

    private func run(of part: SuitePart, _ selection: Selection) -> TestRun {
        let limit = Self.limitInSeconds
        let launcher =
            switch part {
            case .host, .sessions, .media: ["timeout", String(limit)]
            case .lab: Lab.launcher(limitInSeconds: limit, hasVirtualTime: true)
            case .slow: Lab.launcher(limitInSeconds: limit)
            }
        var run = TestRun(
            name: part.rawValue, launcher: launcher, program: program, selection: selection, folder: Self.folder)
        // Each starts programs and encoders of its own.
        if part == .media { run.width = 3 }
        if case .missing(let reason) = lab { run.environment["PIP_LAB_MISSING"] = reason }
        return run
    }

    /// The tests of this program.
    private mutating func checkRunner() {
        print("== the test runner's own tests")
        checkPackage("Tests/Runner", named: "runner", scratch: ".build/runner")
    }

    /// A user's package: it builds the library once more, as one that depends on it does.
    private mutating func checkOutside() {
        print("== a package that depends on the library, and the documentation's examples")
        checkPackage("Tests/Outside", named: "outside", scratch: ".build/outside")
    }

    private mutating func checkBenchmarks() {
        print("== the benchmark's own arithmetic, commands and plots")
        checkPackage("Benchmarks", named: "benchmarks", scratch: "Benchmarks/.build")
    }

    /// Runs the tests of another package.
    private mutating func checkPackage(_ path: String, named name: String, scratch: String) {
        let log = "\(Self.folder)/\(name).log"
        let report = "\(Self.folder)/\(name)-swift-testing.xml"
        Files.remove(report)
        let arguments = [
            "--package-path", path, "--scratch-path", scratch, "--xunit-output", "\(Self.folder)/\(name).xml",
        ]
        let status = Command(["swift", "test"] + arguments).logging(to: log) { _ in false }.run()
        let result = RunResult(
            report: Files.text(report).flatMap(TestReport.init(xUnit:)), status: status, expected: [])
        if result.problem != nil { complain(Files.tail(log)) }
        summary.add(result, named: name, realTime: realTime)
    }

    /// Counts a frame's heap allocations in an optimized build.
    private mutating func checkAllocations() {
        let name = "the frame path's allocations, in an optimized build"
        print("== \(name)")
        do throws(Failure) {
            let build = ["swift", "build", "-c", "release"]
            guard Command(build + ["--product", "pip-compose"]).run() == 0 else {
                throw Failure("pip-compose does not build optimized")
            }
            let program = try TestProgram.binaries(build) + "/pip-compose"
            let status = Command(["Tests/allocations", program, ".build/allocations"]).run()
            let outcome: TestResult.Outcome =
                switch status {
                case 0: .passed
                case 77: .skipped("clang, which comes with Swift, is not in the path")
                default: .failed(["Tests/allocations ended with status \(status)"])
                }
            summary.add(check: name, outcome)
        } catch {
            summary.add(check: name, .failed([error.description]))
        }
    }
}

extension Lab {
    var isReady: Bool { if case .ready = self { true } else { false } }
}

extension SuitePart {
    /// What is printed when it begins.
    var title: String {
        switch self {
        case .host: "on this machine"
        case .lab: "in the camera lab"
        case .slow: "in the camera lab, in real time"
        case .sessions: "whole sessions and programs"
        case .media: "recordings, streams and viewers"
        }
    }
}

extension RealTimeList {
    static let path = "Tests/real-time.tsv"

    /// Reads the list of the checkout.
    static func read() throws(Failure) -> RealTimeList {
        guard let text = Files.text(path) else { throw Failure("\(path) cannot be read") }
        do throws(ListError) {
            return try RealTimeList(text)
        } catch {
            throw Failure("\(path):\(error.line): not \"identifier, tab, reason\"")
        }
    }
}
