import Testing

@testable import TestRuns

@Suite("The progress of a process that runs tests")
struct JobProgressTests {
    private func test(_ name: String) -> TestIdentifier { TestIdentifier(eventStream: "A.Tests/\(name)") }
    private func listed(_ names: String...) -> [ListedTest] { names.map { ListedTest(test($0), name: $0) } }

    /// The progress after some events, which arrive one second apart.
    private func progress(_ expected: [ListedTest], _ events: TestEvent...) -> JobProgress {
        var progress = JobProgress(expecting: expected)
        for (second, event) in events.enumerated() { progress.take(event, at: Double(second)) }
        return progress
    }

    @Test("becomes results with messages, reasons and seconds")
    func results() {
        let progress = progress(
            listed("a()", "b()", "c()"), .started(test("a()")), .ended(test("a()")), .started(test("b()")),
            .failed(test("b()"), message: "x"), .failed(test("b()"), message: "y"), .ended(test("b()")),
            .skipped(test("c()"), reason: "why"), .runEnded)
        let verdict = progress.verdict(status: 1)
        #expect(verdict.problem == nil && verdict.remaining.isEmpty)
        #expect(
            verdict.results == [
                TestResult(test("a()"), .passed, seconds: 1), TestResult(test("b()"), .failed(["x", "y"]), seconds: 3),
                TestResult(test("c()"), .skipped("why")),
            ])
    }

    @Test("takes the end of a suite for none of a test's, and its skip for a skip of all its tests")
    func suites() {
        let suite = TestIdentifier(eventStream: "A.Tests")
        let skipped = progress(listed("a()", "b()"), .started(suite), .skipped(suite, reason: "no lab"), .runEnded)
        #expect(skipped.verdict(status: 0).results.map(\.outcome) == [.skipped("no lab"), .skipped("no lab")])
        #expect(progress(listed("a()"), .started(suite)).overdue(after: 1, at: 100) == nil)
    }

    @Test("lets a process that dies fail the test that ran, and leaves the rest for another process")
    func crash() {
        let progress = progress(
            listed("a()", "b()", "c()"), .started(test("a()")), .ended(test("a()")), .started(test("b()")))
        let verdict = progress.verdict(status: 139)
        #expect(verdict.results.map(\.isFailure) == [false, true])
        #expect(verdict.results[1].outcome == .failed(["the process ended with status 139 while the test ran"]))
        #expect(verdict.remaining == listed("c()") && verdict.problem == nil)
        let hung = progress.verdict(status: 131, cause: "it hung")
        #expect(hung.results[1].outcome == .failed(["it hung"]))
    }

    @Test("counts a process as failed in which no test began: no other one is started for the same")
    func noStart() {
        let progress = progress(listed("a()"))
        let explained = progress.verdict(status: 125, cause: "no guest")
        #expect(explained.problem == "no guest; 1 of 1 tests did not run: A.Tests/a() …")
        let verdict = progress.verdict(status: 125)
        #expect(verdict.problem?.contains("status 125; 1 of 1 tests did not run") == true)
        #expect(verdict.remaining.isEmpty)
    }

    @Test("counts a process as failed that says it is done, and left out tests")
    func incomplete() {
        let progress = progress(listed("a()", "b()"), .started(test("a()")), .ended(test("a()")), .runEnded)
        #expect(progress.verdict(status: 0).problem?.contains("1 of 2") == true)
    }

    @Test("counts a process as failed that says so itself, or has an issue of no test, though all its tests passed")
    func status() {
        let passed = progress(listed("a()"), .started(test("a()")), .ended(test("a()")), .runEnded)
        #expect(passed.verdict(status: 1).problem != nil)
        let stray = progress(
            listed("a()"), .started(test("a()")), .ended(test("a()")), .failed(nil, message: "late"), .runEnded)
        #expect(stray.verdict(status: 1).problem == "late")
    }

    @Test("names the test that has been running for too long, the longest of them")
    func overdue() {
        let progress = progress(listed("a()", "b()"), .started(test("a()")), .started(test("b()")))
        #expect(progress.overdue(after: 10, at: 10) == nil)
        #expect(progress.overdue(after: 10, at: 10.5) == test("a()"))
        #expect(progress.overdue(after: 10, at: 100) == test("a()"))
    }
}

@Suite("Lines of an event stream")
struct TestEventTests {
    private static func event(_ payload: String) -> Substring {
        #"{"kind":"event","payload":{\#(payload)},"version":0}"#
    }

    @Test("tell of starts, ends, issues and skips")
    func events() {
        let id = #""testID":"A.B\/c()\/C.swift:8:10""#
        let test = TestIdentifier(eventStream: "A.B/c()")
        #expect(TestEvent(line: Self.event(#""kind":"testStarted",\#(id)"#)) == .started(test))
        #expect(TestEvent(line: Self.event(#""kind":"testEnded",\#(id)"#)) == .ended(test))
        #expect(TestEvent(line: Self.event(#""kind":"runEnded""#)) == .runEnded)
        let messages = #""messages":[{"symbol":"fail","text":"1 > \"2\""},{"symbol":"details","text":"why"}]"#
        #expect(
            TestEvent(line: Self.event(#""kind":"issueRecorded","issue":{"isKnown":false},\#(messages),\#(id)"#))
                == .failed(test, message: "1 > \"2\"\nwhy"))
        #expect(
            TestEvent(line: Self.event(#""kind":"issueRecorded","issue":{"isKnown":false},\#(messages)"#))
                == .failed(nil, message: "1 > \"2\"\nwhy"))
        let skip = #""messages":[{"symbol":"skip","text":"Test \"x\" skipped: \"it needs \"quotes\"\""}]"#
        #expect(
            TestEvent(line: Self.event(#""kind":"testSkipped",\#(skip),\#(id)"#))
                == .skipped(test, reason: #"it needs "quotes""#))
        let cancel = #""kind":"testCancelled","_comments":["a library crashed"],"messages":[]"#
        #expect(TestEvent(line: Self.event(#"\#(cancel),\#(id)"#)) == .skipped(test, reason: "a library crashed"))
    }

    @Test("that are known issues, warnings, or what a test printed are none")
    func others() {
        let id = #""testID":"A.B\/c()\/C.swift:8:10","messages":[]"#
        for issue in [#"{"isKnown":true}"#, #"{"isKnown":false,"severity":"warning"}"#] {
            #expect(TestEvent(line: Self.event(#""kind":"issueRecorded","issue":\#(issue),\#(id)"#)) == nil)
        }
        #expect(TestEvent(line: Self.event(#""kind":"testCaseStarted",\#(id)"#)) == nil)
        for line in ["", "frame 1", "{", #"{"kind":"test","payload":{"kind":"function"}}"#] {
            #expect(TestEvent(line: line[...]) == nil)
        }
    }
}

@Suite("What closes a run")
struct SummaryTests {
    @Test("names what failed and what was skipped, and has the numbers alone at last")
    func summary() {
        func result(_ name: String, _ outcome: TestResult.Outcome, _ seconds: Double = 0) -> TestResult {
            TestResult(TestIdentifier(eventStream: "A.Tests/\(name)"), outcome, seconds: seconds)
        }
        var summary = Summary()
        summary.add(
            JobProgress.Verdict(results: [
                result("a()", .failed(["x", "y"]), 2), result("b()", .passed, 12.34), result("c()", .skipped("no lab")),
                result("d()", .skipped("no lab")),
            ]), named: "pure-A-1")
        summary.add(JobProgress.Verdict(results: [], problem: "ended early"), named: "lab-A-1")
        #expect(
            summary.text == """
                == skipped
                2: no lab (A.Tests/c(), A.Tests/d())
                == what failed
                A.Tests/a()
                    x
                    y
                lab-A-1: ended early
                1 passed, 2 failed, 2 skipped
                """)
        #expect(!summary.isSuccess)
        #expect(summary.slowest(2) == "   12.3 s  A.Tests/b()\n    2.0 s  A.Tests/a()")
    }

    @Test("adds up phases, those beside each other once, and tells how busy the processors were")
    func phases() {
        var costs = PhaseCosts()
        costs.add(to: "build", start: 0, end: 100, processorSeconds: 180)
        costs.add(to: "pure", start: 100, end: 140, processorSeconds: 30)
        costs.add(to: "pure", start: 120, end: 150, processorSeconds: 30)
        #expect(
            costs.text(processors: 2) == """
                build        100 s   180 s of CPU, 1.8 of 2 processors busy
                pure          50 s    60 s of CPU, 1.2 of 2 processors busy
                together     150 s   240 s of CPU, 1.6 of 2 processors busy
                """)
    }
}
