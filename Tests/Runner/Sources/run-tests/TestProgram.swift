import TestRuns

/// A build of the package, with the program of all tests.
struct TestProgram {
    /// The script that builds everything in one configuration.
    private static let script = "Tests/build"

    let path: String

    /// Builds the tests.
    ///
    /// - Parameters:
    ///   - targets: The test targets to build with their dependencies; nil for all.
    ///   - costs: Takes the costs of the build.
    /// - Returns: The program.
    /// - Throws: ``Failure`` when a target does not compile.
    static func build(_ targets: [String]? = nil, costs: inout PhaseCosts) throws(Failure) -> TestProgram {
        let start = Clock.now
        var command = Command([script, "--build-tests"])
        if let targets { command.environment["PIP_SUITES"] = targets.joined(separator: " ") }
        let end = command.run()
        costs.add(to: "build", start: start, end: Clock.now, processorSeconds: end.processorSeconds)
        guard end.isSuccess else { throw Failure("the tests do not build") }
        return TestProgram(path: try binaries([script]) + "/pip-composePackageTests.xctest")
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

    /// All tests that the program has.
    ///
    /// - Returns: Their identifiers and names.
    /// - Throws: ``Failure`` when the program does not start.
    func tests() throws(Failure) -> [ListedTest] {
        let (status, text) = Command([path] + Self.eventArguments + ["--list-tests"]).output()
        let listed = ListedTest.list(eventStream: text)
        guard status == 0, !listed.isEmpty else { throw Failure("the test program does not list its tests") }
        return listed
    }

    /// The arguments with which the program writes its event stream to its standard output.
    static let eventArguments = ["--testing-library", "swift-testing", "--event-stream-output-path", "/dev/stdout"]
}
