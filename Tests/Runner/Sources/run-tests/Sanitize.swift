internal import Foundation
import TestRuns

/// `make sanitize`: runs tests under the address sanitizer, the thread sanitizer or both.
struct Sanitize {
    let options: SanitizerOptions
    private let folder = "\(Files.root)/.build/sanitize"

    init(_ options: SanitizerOptions) { self.options = options }

    /// Runs the tests under each chosen sanitizer.
    ///
    /// - Returns: True if the tests build, no sanitizer has reported anything, and no test has failed.
    func run() throws -> Bool {
        try Files.makeFolder(folder)
        let tools = try toolFolder()
        // Swift's mutex is compiled without the sanitizer. This library reports the mutex's calls to the thread
        // sanitizer.
        let library = "\(folder)/mutex.so"
        let compile = ["-O1", "-shared", "-fPIC", "-Wall", "-o", library, "Tests/Sanitizers/mutex.c"]
        guard Command(["\(tools)/clang"] + compile).run().isSuccess else {
            throw Failure("Tests/Sanitizers/mutex.c does not compile")
        }
        var isClean = true
        for sanitizer in options.sanitizers {
            var environment = [
                "ASAN_SYMBOLIZER_PATH": "\(tools)/llvm-symbolizer", "TSAN_SYMBOLIZER_PATH": "\(tools)/llvm-symbolizer",
                // Memory that is in use at the end of the process is not a leak: the Swift runtime and Mesa keep
                // memory.
                "ASAN_OPTIONS": "detect_leaks=0",
                "TSAN_OPTIONS": "suppressions=\(Files.root)/Tests/Sanitizers/thread.supp:history_size=4",
            ]
            if sanitizer == .thread { environment["LD_PRELOAD"] = library }
            isClean = try run(under: sanitizer, environment) && isClean
        }
        return isClean
    }

    /// The folder of the compiler's programs, to which the link `swift` leads.
    private func toolFolder() throws(Failure) -> String {
        for folder in (Environment["PATH"] ?? "").split(separator: ":") {
            let path = "\(folder)/swift"
            if FileManager.default.isExecutableFile(atPath: path) {
                return URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
            }
        }
        throw Failure("there is no program swift in PATH")
    }

    private func run(
        under sanitizer: SanitizerOptions.Sanitizer, _ environment: [String: String]
    ) throws -> Bool {
        let name = sanitizer.rawValue
        // gold, the default linker, crashes on the debug information of the sanitizers.
        var build = Command([
            "swift", "build", "--build-tests", "--sanitize=\(name)", "--scratch-path", "\(folder)/\(name)", "-Xswiftc",
            "-use-ld=lld",
        ])
        build.environment["PIP_SUITES"] = options.suites.joined(separator: " ")
        build.log = "\(folder)/\(name).build.log"
        guard build.run(shows: { _ in false }).isSuccess else {
            complain(Files.tail("\(folder)/\(name).build.log"))
            return false
        }
        let binaries = try TestProgram.binaries(build.arguments, environment: build.environment)
        let program = TestProgram(path: "\(binaries)/pip-composePackageTests.xctest")
        let skipped = SanitizerOptions.leftOut(under: sanitizer, list: Files.text("Tests/Sanitizers/skipped") ?? "")
        // All files in this folder are searched for reports, so the folder must contain neither the build nor older
        // logs.
        let logs = "\(folder)/\(name).logs"
        Files.remove(logs)
        try Files.makeFolder(logs)
        var runner = JobRunner(program, folder: logs)
        runner.environment = environment
        // The tests run one at a time, because in a slow program, concurrent tests exceed their own time limits.
        runner.width = 1
        runner.isTold = false
        let all = try program.tests()
        let tests = try Selection(skip: skipped).tests(of: all)
        runner.run(Schedule(tests, of: all, costs: TestCosts(), hasLab: false))
        let finds = Files.texts(in: logs, named: ".log").flatMap { $0.split(separator: "\n") }.filter {
            $0.contains("Sanitizer: ")
        }
        let summary = runner.summary
        guard finds.isEmpty, summary.isSuccess else {
            complain("\(name) sanitizer: number of reports: \(finds.count); the output of the tests is in \(logs)")
            complain((finds.prefix(20).map(String.init) + [summary.text]).joined(separator: "\n"))
            return false
        }
        print("\(name) sanitizer: nothing found, \(summary.tally)")
        return true
    }
}
