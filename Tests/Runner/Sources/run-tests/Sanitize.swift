internal import Foundation
import TestRuns

/// `make sanitize`: tests under the address and the thread sanitizer.
struct Sanitize {
    let options: SanitizerOptions
    private let folder = "\(Files.root)/.build/sanitize"

    init(_ options: SanitizerOptions) { self.options = options }

    /// Runs the tests under each sanitizer.
    ///
    /// - Returns: True when nothing was found and no test failed.
    func run() throws -> Bool {
        try Files.makeFolder(folder)
        let tools = try toolFolder()
        // What the thread sanitizer says of Swift's mutex, which is in a library that is not compiled with it.
        let library = "\(folder)/mutex.so"
        let compile = ["-O1", "-shared", "-fPIC", "-Wall", "-o", library, "Tests/Sanitizers/mutex.c"]
        guard Command(["\(tools)/clang"] + compile).run() == 0 else {
            throw Failure("Tests/Sanitizers/mutex.c does not compile")
        }
        let realTime = try RealTimeList.read()
        var isClean = true
        for sanitizer in options.sanitizers {
            var environment = [
                "ASAN_SYMBOLIZER_PATH": "\(tools)/llvm-symbolizer", "TSAN_SYMBOLIZER_PATH": "\(tools)/llvm-symbolizer",
                // Whether memory is still in use when the process ends tells nothing of leaks: the runtime's and Mesa's
                // is.
                "ASAN_OPTIONS": "detect_leaks=0",
                "TSAN_OPTIONS": "suppressions=\(Files.root)/Tests/Sanitizers/thread.supp:history_size=4",
            ]
            if sanitizer == .thread { environment["LD_PRELOAD"] = library }
            isClean = try run(under: sanitizer, environment, realTime) && isClean
        }
        return isClean
    }

    /// The folder of the compiler that `swift` leads to.
    private func toolFolder() throws(Failure) -> String {
        for folder in (Environment["PATH"] ?? "").split(separator: ":") {
            let path = "\(folder)/swift"
            if FileManager.default.isExecutableFile(atPath: path) {
                return URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
            }
        }
        throw Failure("swift is not in the path")
    }

    private func run(
        under sanitizer: SanitizerOptions.Sanitizer, _ environment: [String: String], _ realTime: RealTimeList
    ) throws -> Bool {
        let name = sanitizer.rawValue
        // gold, which Swift takes by default, does not survive all of the sanitizers' debug information.
        var build = Command([
            "swift", "build", "--build-tests", "--sanitize=\(name)", "--scratch-path", "\(folder)/\(name)", "-Xswiftc",
            "-use-ld=lld",
        ])
        build.environment["PIP_SUITES"] = options.suites.joined(separator: " ")
        let buildLog = "\(folder)/\(name).build.log"
        guard build.logging(to: buildLog, shows: { _ in false }).run() == 0 else {
            complain(Files.tail(buildLog))
            return false
        }
        let binaries = try TestProgram.binaries(build.arguments, environment: build.environment)
        let program = TestProgram(path: "\(binaries)/pip-composePackageTests.xctest")
        let skipped = SanitizerOptions.leftOut(under: sanitizer, list: Files.text("Tests/Sanitizers/skipped") ?? "")
        // One at a time: all at once in a slow program, they wait for each other longer than they allow.
        var run = TestRun(
            name: name, launcher: ["timeout", String(options.limitInSeconds)], program: program,
            selection: Selection(skip: skipped), folder: folder, width: 1, environment: environment)
        run.isQuiet = true
        let expected = try run.selection.tests(of: program.tests(into: folder))
        let result = run.judged(status: run.command().run(), expected: expected, realTime: realTime)
        let logs = [run.log, "\(folder)/\(name).second.log"].compactMap(Files.text)
        let finds = logs.joined(separator: "\n").split(separator: "\n").filter { $0.contains("Sanitizer: ") }
        var summary = Summary()
        summary.add(result, named: name, realTime: realTime)
        guard finds.isEmpty, summary.isSuccess else {
            complain("\(name) sanitizer: \(finds.count) finds; what the tests printed is in \(run.log)")
            complain((finds.prefix(20).map(String.init) + [summary.text]).joined(separator: "\n"))
            return false
        }
        print("\(name) sanitizer: nothing found, \(summary.text)")
        return true
    }
}
