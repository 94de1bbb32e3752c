import Testing

@testable import TestRuns

@Suite("The judgement of a run")
struct RunResultTests {
    private func test(_ name: String) -> TestIdentifier { TestIdentifier(className: "A.Tests", name: name) }
    private func listed(_ names: String...) -> [ListedTest] { names.map { ListedTest(test($0), name: $0) } }

    private func report(_ outcomes: [(String, TestResult.Outcome)]) -> TestReport? {
        let cases = outcomes.map { name, outcome in
            let body =
                switch outcome {
                case .passed: ""
                case .failed(let messages): messages.map { "<failure message=\"\($0)\"/>" }.joined()
                case .skipped(let reason): "<skipped>\(reason)</skipped>"
                }
            return "<testcase classname=\"A.Tests\" name=\"\(name)\">\(body)</testcase>"
        }
        return TestReport(xUnit: "<testsuites>\(cases.joined())</testsuites>")
    }

    @Test("counts what passed, failed and was skipped")
    func counts() {
        let report = report([("a()", .passed), ("b()", .failed(["no"])), ("c()", .skipped("why")), ("d()", .passed)])
        let run = RunResult(report: report, status: 1, expected: listed("a()", "b()", "c()", "d()"))
        #expect(run.problem == nil)
        #expect(run.tally == Tally(passed: 2, failed: 1, skipped: 1))
        #expect(run.tally.description == "2 passed, 1 failed, 1 skipped")
    }

    @Test("counts a process that left no report as a failure")
    func noReport() {
        let run = RunResult(report: nil, status: 139, expected: listed("a()"))
        #expect(run.tally == Tally(failed: 1))
        #expect(run.problem?.contains("139") == true)
    }

    @Test("counts a process that left out tests as a failure")
    func incomplete() {
        let run = RunResult(report: report([("a()", .passed)]), status: 0, expected: listed("a()", "b()"))
        #expect(run.tally == Tally(passed: 1, failed: 1))
        #expect(run.problem?.contains("1 of 2") == true)
    }

    @Test("counts a process as failed that says so itself, though all its tests passed")
    func status() {
        let run = RunResult(report: report([("a()", .passed)]), status: 124, expected: listed("a()"))
        #expect(run.tally == Tally(passed: 1, failed: 1))
    }

    @Test("grants a second try to those of the named list alone, and keeps the first result")
    func secondTry() throws {
        let list = try RealTimeList("# list\nA.Tests/b\treal time\n")
        var run = RunResult(
            report: report([("a()", .failed(["x"])), ("b()", .failed(["y"])), ("bb()", .failed(["z"]))]), status: 1,
            expected: listed("a()", "b()", "bb()"))
        let again = run.candidates(by: list)
        #expect(again == [test("b()"), test("bb()")])
        run.addSecondTry(of: again, report: report([("b()", .passed)]))
        #expect(run.tally == Tally(passed: 1, failed: 2))
        #expect(run.results.filter(\.isFailure).count == 3)
        #expect(run.secondTries.map(\.isFailure) == [false, true])
    }

    @Test("grants no second try after a crash")
    func crash() throws {
        let list = try RealTimeList("A.Tests\treal time")
        let run = RunResult(report: report([("a()", .failed(["x"]))]), status: 139, expected: listed("a()", "b()"))
        #expect(run.candidates(by: list).isEmpty)
    }

    @Test("names in its summary what failed, what was skipped and what was tried twice, and the numbers alone at last")
    func summary() throws {
        let list = try RealTimeList("A.Tests/b\tkeeps time")
        var run = RunResult(
            report: report([
                ("a()", .failed(["x", "y"])), ("b()", .failed(["y"])), ("c()", .skipped("no lab")),
                ("d()", .skipped("no lab")),
            ]), status: 1, expected: [])
        run.addSecondTry(of: run.candidates(by: list), report: report([("b()", .passed)]))
        var summary = Summary()
        summary.add(run, named: "host", realTime: list)
        summary.add(check: "benchmarks", .passed, count: 7)
        summary.add(check: "allocations", .skipped("no clang"))
        #expect(
            summary.text == """
                == skipped
                2: no lab (A.Tests/c(), A.Tests/d())
                1: no clang (allocations)
                == what failed
                A.Tests/a()
                    x
                    y
                == tried a second time: 1
                A.Tests/b(): passed (keeps time)
                8 passed, 1 failed, 3 skipped
                """)
        #expect(!summary.isSuccess)
    }
}

@Suite("The list of tests in real time")
struct RealTimeListTests {
    @Test("asks for a reason", arguments: ["A.Tests", "A.Tests\t", "A.Tests\tone\ttwo"])
    func reason(line: String) {
        #expect(throws: RealTimeList.ListError(line: 2)) { try RealTimeList("# comment\n\(line)") }
    }

    @Test("tells entries that fit no test")
    func stale() throws {
        let list = try RealTimeList("A.Tests/one\tx\nA.Tests/gone\ty")
        let listed = [ListedTest(TestIdentifier(eventStream: "A.Tests/one()/A.swift:1:1"), name: "")]
        #expect(list.stale(among: listed).map(\.prefix) == ["A.Tests/gone"])
    }
}

@Suite("Output while tests run")
struct LogFilterTests {
    @Test(
        "leaves out what begins and passes",
        arguments: [
            "◇ Test \"a\" started.", "✔ Test \"a\" passed after 0.1 seconds.", "➜ Suite \"b\" skipped: \"why\"",
            "↳ /// A comment.",
            "MESA-LOADER: failed to open",
        ])
    func quiet(line: String) { #expect(!LogFilter.isTelling(line[...])) }

    @Test(
        "shows failures and the end",
        arguments: [
            "✘ Test \"a\" recorded an issue", "✔ Test run with 3 tests in 1 suite passed", "↳ why", "Fatal error: x",
        ])
    func telling(line: String) { #expect(LogFilter.isTelling(line[...])) }
}
