import Foundation
import PipTestSupport
import TestRuns
import Testing

@testable import run_tests

/// Tests with a script that prints the events of tests, in place of the test program.
@Suite("Processes that run tests")
struct JobRunnerTests {
    private let folder = try? TemporaryFolder()

    /// Runs the tests a, b and c of a suite, which the shell commands `body` simulate.
    private func run(_ body: String, testLimit: Double = 60) throws -> Summary {
        let folder = try #require(folder)
        let path = folder.path("tests.sh")
        let script = """
            #!/bin/sh
            begin() { echo '{"kind":"event","payload":{"kind":"testStarted","testID":"A.B/'$1'()/B.swift:1:1"}}'; }
            end() { echo '{"kind":"event","payload":{"kind":"testEnded","testID":"A.B/'$1'()/B.swift:1:1"}}'; }
            whole() { echo '{"kind":"event","payload":{"kind":"runEnded"}}'; }
            \(body)
            """
        try Data(script.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let tests = ["a", "b", "c"].map { ListedTest(TestIdentifier(eventStream: "A.B/\($0)()"), name: $0) }
        var runner = JobRunner(TestProgram(path: path), folder: folder.path(""))
        runner.testLimit = testLimit
        runner.isTold = false
        runner.run(Schedule(tests, of: tests, costs: TestCosts(), hasLab: false))
        return runner.summary
    }

    private func outcomes(_ summary: Summary) -> [String: Bool] {
        Dictionary(uniqueKeysWithValues: summary.results.map { ($0.test.description, !$0.isFailure) })
    }

    @Test("are judged by what they say")
    func whole() throws {
        let summary = try run("for test in a b c; do begin $test; echo noise; end $test; done; whole")
        #expect(summary.text == "3 passed, 0 failed, 0 skipped")
    }

    @Test("that crash fail the test that ran, and the others go on in another process")
    func crash() throws {
        let summary = try run(
            "case \"$*\" in *--skip*) begin c; end c; whole;; *) begin a; end a; begin b; kill -SEGV $$;; esac")
        #expect(outcomes(summary) == ["A.B/a()": true, "A.B/b()": false, "A.B/c()": true])
        #expect(summary.text.contains("status 139 while the test ran"))
    }

    @Test("that hang are named and ended with all that they started, and the others go on", .timeLimit(.minutes(1)))
    func hang() throws {
        let folder = try #require(folder)
        let summary = try run(
            """
            case "$*" in
            *--skip*) begin c; end c; whole ;;
            *) begin a; end a; begin b; setsid sleep 1000 & echo $! >\(folder.path("child")); wait ;;
            esac
            """, testLimit: 0.3)
        #expect(outcomes(summary) == ["A.B/a()": true, "A.B/b()": false, "A.B/c()": true])
        #expect(summary.text.contains("hung"))
        // A killed process dies when the kernel schedules it next, and remains as a zombie until its parent has waited.
        let child = try String(contentsOfFile: folder.path("child"), encoding: .utf8).dropLast()
        var isAlive: Bool {
            let status = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
            return status?.contains(#/State:\s+[^ZX]/#) ?? false
        }
        for _ in 0..<10_000 where isAlive { usleep(1_000) }
        #expect(!isAlive)
    }

    @Test("that do not start are one failure")
    func missing() throws {
        var runner = JobRunner(TestProgram(path: "/nonexistent"), folder: try #require(folder).path(""))
        runner.isTold = false
        let tests = [ListedTest(TestIdentifier(eventStream: "A.B/a()"), name: "a")]
        runner.run(Schedule(tests, of: tests, costs: TestCosts(), hasLab: false))
        #expect(runner.summary.tally == Tally(failed: 1))
        #expect(runner.summary.text.contains("the test program cannot be started"))
    }
}
