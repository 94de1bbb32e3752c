import TestRuns

/// The built program that contains all tests of the package.
struct TestProgram {
    /// The script that builds the package with the options of the project.
    private static let script = "Tests/build"

    let path: String

    /// Builds the tests.
    ///
    /// - Parameters:
    ///   - targets: The test targets to build, with their dependencies; nil builds all.
    ///   - costs: Receives the duration of the build.
    /// - Returns: The built program.
    /// - Throws: ``Failure`` if the build fails.
    static func build(_ targets: [String]? = nil, costs: inout PhaseCosts) throws(Failure) -> TestProgram {
        let start = Clock.now
        var command = Command([script, "--build-tests"])
        if let targets { command.environment["PIP_SUITES"] = targets.joined(separator: " ") }
        let end = command.run()
        costs.add(to: "build", start: start, end: Clock.now, processorSeconds: end.processorSeconds)
        guard end.isSuccess else { throw Failure("the tests do not build") }
        return TestProgram(path: try binaries([script]) + "/pip-composePackageTests.xctest")
    }

    /// The folder for the programs of a build with this command.
    static func binaries(_ build: [String], environment: [String: String] = [:]) throws(Failure) -> String {
        var command = Command(build + ["--show-bin-path"])
        command.environment = environment
        let (status, text) = command.output()
        guard status == 0, let line = text.split(separator: "\n").last else {
            throw Failure("\(command.arguments.joined(separator: " ")) printed no folder (exit status \(status))")
        }
        return String(line)
    }

    /// The tests in the program.
    ///
    /// - Returns: The identifiers and display names of the tests.
    /// - Throws: ``Failure`` if the program does not start, or has no tests.
    func tests() throws(Failure) -> [ListedTest] {
        let (status, text) = Command([path] + Self.eventArguments + ["--list-tests"]).output()
        let listed = ListedTest.list(eventStream: text)
        guard status == 0, !listed.isEmpty else {
            throw Failure("\(path) --list-tests listed no tests (exit status \(status))")
        }
        return listed
    }

    /// The arguments that make the program write its event stream to standard output.
    static let eventArguments = ["--testing-library", "swift-testing", "--event-stream-output-path", "/dev/stdout"]
}
