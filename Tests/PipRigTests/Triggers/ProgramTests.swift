import PipCompose
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Programs of triggers", .timeLimit(.minutes(2)))
struct ProgramTests {
    private typealias Reports = Monitor<[TriggerWatch.Report]>

    private func worker(_ text: String, limit: Duration? = .seconds(60), _ reports: Reports) throws -> TriggerWorker {
        try ProgramArgument(text, limit: limit).worker(for: "gone") { report in reports.update { $0.append(report) } }
    }

    private func firing(_ number: Int) -> TriggerFiring {
        TriggerFiring(
            "gone", reason: "camera:0", time: WallTime(sinceEpoch: .seconds(1_700_000_000)), number: number)
    }

    /// Runs a program once, and returns the reports.
    private func reports(of text: String, limit: Duration? = .seconds(60)) async throws -> [TriggerWatch.Report] {
        let reports = Reports([])
        let worker = try worker(text, limit: limit, reports)
        worker.add(firing(3))
        await worker.end(within: .seconds(60))
        return reports.read { $0 }
    }

    @Test("a program has the firing in its environment, and its lines are told")
    func environment() async throws {
        let text = #"sh -c 'echo "$PIP_TRIGGER,$PIP_REASON,$PIP_NUMBER"; echo ${#PIP_TIME} >&2'"#
        #expect(
            try await reports(of: text) == [
                .printed("gone: sh: gone,camera:0,3"), .printed("gone: sh: 29"),
                .done("gone (camera:0): sh: has ended"),
            ])
    }

    @Test("words are the program's own, and no shell expands them")
    func words() async throws {
        let reports = try await reports(of: "printf '%s;' '$HOME' \"a b\" * c\\,d")
        #expect(reports.first == .printed("gone: printf: $HOME;a b;*;c,d;"))
    }

    @Test(
        "a program that fails is told with the way in which it has ended",
        arguments: [
            ("sh -c 'exit 3'", "has ended with status 3"), ("sh -c 'kill -9 $$'", "was ended by signal 9"),
        ])
    func failures(_ text: String, _ reason: String) async throws { try await expectFailure(of: text, reason) }

    @Test(
        "a program that cannot be started is told as such",
        .enabled(if: !Emulator.hidesFailedStarts, "QEMU does not tell why a program cannot be started"),
        arguments: ["/nonexistent", "/etc/passwd"])
    func notStarted(_ path: String) async throws { try await expectFailure(of: path, "cannot be started") }

    private func expectFailure(of text: String, _ reason: String) async throws {
        let last = try #require(try await reports(of: text).last)
        #expect("\(last)".contains(reason) && "\(last)".hasPrefix("failed"), "\(last)")
    }

    @Test("row 79: a program is stopped after its limit, or at the end of the composition")
    func stopping() async throws {
        let late = try await reports(of: "sleep 100", limit: .milliseconds(50))
        #expect("\(late)".contains("was stopped after 0.05 seconds"), "\(late)")
        let log = Reports([])
        let worker = try worker("sh -c 'echo ready; exec sleep 100'", log)
        worker.add(firing(1))
        #expect(await becomes { log.read { $0.count == 1 } })
        await worker.end(within: .milliseconds(10))
        #expect(await becomes { log.read { $0.count == 2 } })
        #expect(log.read { "\($0[1])" }.contains("because the composition has ended"))
    }

    @Test("row 79: a program runs once at a time, and firings meanwhile are told in one message")
    func once() async throws {
        let folder = try TemporaryFolder()
        let reports = Reports([])
        let words = "echo started; until test -e \(folder.path("go")); do sleep 0.01; done"
        let worker = try worker("sh -c '\(words)'", reports)
        worker.add(firing(1))
        #expect(await becomes { reports.read { $0.count == 1 } })
        for number in 2...1001 { worker.add(firing(number)) }
        try folder.write(Array("go\n".utf8), to: "go")
        #expect(await becomes { reports.read { $0.count == 3 } })
        let texts = reports.read { $0.map { "\($0)" } }
        #expect(texts.filter { $0.contains("still ran: 1000") }.count == 1, "\(texts)")
        await worker.end(within: .seconds(60))
        #expect(reports.read { $0.count } == 3)
        FaultReport.record(row: 79, figures: "1,000 firings meanwhile: one program, one message")
    }

    @Test("a program that writes much has a hundred lines in the log")
    func flood() async throws {
        let reports = try await reports(of: "seq 1000")
        #expect(reports.count == 102)
        #expect(reports[99] == .printed("gone: seq: 100"))
        #expect(reports[100] == .printed("gone: seq: lines that were left out: 900"))
    }

    @Test(
        "a mistake in a command line, or a program that is not there, is told",
        arguments: [
            ("", "name a program"), ("'", "close each quote"), ("'' x", "name a program"), ("a\\", "close each quote"),
        ])
    func mistakes(_ text: String, _ reason: String) {
        let error = #expect(throws: UsageError.self) { try ProgramArgument(text, limit: nil) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("a program that cannot be run is refused with the reason")
    func obstacles() throws {
        func obstacle(_ text: String) throws -> String? { try ProgramArgument(text, limit: nil).obstacle }
        #expect(try obstacle("sh -c x") == nil && obstacle("/bin/sh") == nil)
        #expect(try obstacle("/nonexistent/alert")?.contains("no such program") == true)
        #expect(try obstacle("/etc/passwd")?.contains("chmod +x") == true)
        #expect(try obstacle("/tmp")?.contains("no program") == true)
        #expect(try obstacle("pip-no-such-program")?.contains("PATH") == true)
        #expect(throws: UsageError.self) { try ProgramArgument("sh", limit: .zero) }
    }

    @Test("a comma within a program's quotes ends no option")
    func commas() throws {
        let trigger = try TriggerArgument("line,do=run:sh -c 'echo a, b',limit=5s,do=run:echo c\\,d , every=1ms")
        let limit = Duration.seconds(5)
        #expect(
            trigger.actions == [
                .run(try ProgramArgument("sh -c 'echo a, b'", limit: limit)),
                .run(try ProgramArgument("echo 'c,d'", limit: limit)),
            ])
        #expect(trigger.distance == .milliseconds(1))
    }
}
