import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSinks

@Suite struct SinkRunnerTests {
    private let layout = FrameLayout(.gray, PixelSize(2, 1))

    private var info: FrameInfo { FrameInfo(layout: layout, colorimetry: .bt709) }

    private var soon: Timestamp { MonotonicClock().now.advanced(by: .seconds(20)) }

    private func runner(
        _ writer: sending TestWriter, capacity: Int = 4, policy: QueuePolicy = .dropNewest,
        errors: Monitor<[SinkError]> = Monitor([])
    ) throws -> SinkRunner {
        try SinkRunner(writer, info: info, rate: FrameRate(30), capacity: capacity, policy: policy) { error in
            errors.update { $0.append(error) }
        }
    }

    private func frame(_ number: Int) -> Frame { makeFrame(layout, from: UInt8(number), sequence: UInt64(number)) }

    @Test("frames are written in order, and the sink is finished once")
    func order() throws {
        let log = TestWriter.Log()
        let runner = try runner(TestWriter(log), policy: .block)
        for number in 0..<50 { runner.submit(frame(number)) }
        #expect(runner.finish(by: soon))
        #expect(log.written == (0..<50).map { UInt64($0) })
        #expect(log.finishes == 1)
        var expected = OutputStatistics(name: runner.name)
        expected.written = 50
        #expect(runner.statistics == expected)
    }

    @Test(
        "row 48: a full queue drops the newest or the oldest frame, and counts it",
        arguments: [QueuePolicy.dropNewest, .dropOldest])
    func full(policy: QueuePolicy) throws {
        let log = TestWriter.Log(isHeld: true)
        let runner = try runner(TestWriter(log), capacity: 2, policy: policy)
        runner.submit(frame(0))
        log.waitUntilWriting()
        for number in 1..<5 { runner.submit(frame(number)) }
        log.release()
        #expect(runner.finish(by: soon))
        #expect(log.written == (policy == .dropNewest ? [0, 1, 2] : [0, 3, 4]))
        #expect(runner.statistics.drops[.late] == 2)
        #expect(runner.statistics.written == 3)
    }

    @Test("a sink that fails is reported once and finished; later frames are dropped and counted")
    func failure() throws {
        let log = TestWriter.Log(failingAt: 2)
        let errors = Monitor<[SinkError]>([])
        let runner = try runner(TestWriter(log), policy: .block, errors: errors)
        for number in 0..<10 { runner.submit(frame(number)) }
        #expect(runner.finish(by: soon))
        #expect(log.written == [0, 1])
        #expect(log.finishes == 1)
        #expect(errors.read { $0.map(\.reason) } == ["made to fail"])
        #expect(runner.statistics.drops[.disabled] == 8)
        #expect(runner.statistics.error?.reason == "made to fail")
    }

    @Test("a sink that cannot be opened throws, and is not run")
    func cannotOpen() throws {
        let log = TestWriter.Log(cannotOpen: true)
        #expect(throws: SinkError.self) { try runner(TestWriter(log)) }
        #expect(log.finishes == 0)
    }

    @Test("a write that waits beyond the deadline is abandoned, and the sink is still finished")
    func deadline() throws {
        let folder = try TemporaryFolder()
        let writer = RawWriter(.path(try folder.pipe("pipe")), request: SinkRequest(format: .gray))
        let errors = Monitor<[SinkError]>([])
        let runner = try SinkRunner(writer, info: info, rate: FrameRate(30)) { error in
            errors.update { $0.append(error) }
        }
        runner.submit(frame(0))
        #expect(runner.finish(by: MonotonicClock().now))
        #expect(errors.read { $0.map(\.kind) } == [.interrupted])
    }

    @Test("row 48: a write that cannot be interrupted is left on its thread")
    func abandoned() throws {
        let log = TestWriter.Log(isHeld: true)
        let runner = try runner(TestWriter(log))
        runner.submit(frame(0))
        log.waitUntilWriting()
        #expect(!runner.finish(by: MonotonicClock().now))
        log.release()
        #expect(runner.finish(by: soon))
    }

    @Test("finishing can be awaited")
    func asynchronous() async throws {
        let log = TestWriter.Log()
        let runner = try runner(TestWriter(log))
        runner.submit(frame(0))
        #expect(await runner.finish(by: soon))
        #expect(log.written == [0])
    }

    @Test("a producer that waits for space is released by the finish")
    func finishWhileBlocked() throws {
        let log = TestWriter.Log(isHeld: true)
        let runner = try runner(TestWriter(log), capacity: 1, policy: .block)
        runner.submit(frame(0))
        log.waitUntilWriting()
        let producer = WorkerThread(name: "produces") { for number in 1..<10 { runner.submit(self.frame(number)) } }
        #expect(!runner.finish(by: MonotonicClock().now))
        producer.join()
        log.release()
        #expect(runner.finish(by: soon))
        let statistics = runner.statistics
        #expect(statistics.written + statistics.drops.total == 10)
    }

    @Test("row 53: a pipe without a reader does not end the process, with unchanged signal handlers")
    func brokenPipe() throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        close(ends[0])
        let errors = Monitor<[SinkError]>([])
        let writer = RawWriter(.descriptor(ends[1], name: "pipe"), request: SinkRequest(format: .gray))
        let runner = try SinkRunner(writer, info: info, rate: FrameRate(30)) { error in
            errors.update { $0.append(error) }
        }
        runner.submit(frame(0))
        #expect(runner.finish(by: soon))
        #expect(errors.read { $0.map(\.kind) } == [.closedPipe])
        close(ends[1])
    }

    @Test("a runner that is released still writes its queued frames, and closes")
    func letGo() throws {
        let log = TestWriter.Log()
        do {
            let runner = try runner(TestWriter(log))
            runner.submit(frame(0))
        }
        log.waitUntilFinished()
        #expect(log.written == [0])
    }
}

/// A writer that records its calls, and that a test can block or make fail.
final class TestWriter: FrameWriter {
    final class Log: Sendable {
        private struct State {
            var written: [UInt64] = []
            var finishes = 0
            var isHeld: Bool
            var isWriting = false
        }
        private let state: Monitor<State>
        let failingAt: Int?
        let cannotOpen: Bool

        init(isHeld: Bool = false, failingAt: Int? = nil, cannotOpen: Bool = false) {
            state = Monitor(State(isHeld: isHeld))
            self.failingAt = failingAt
            self.cannotOpen = cannotOpen
        }

        var written: [UInt64] { state.read { $0.written } }
        var finishes: Int { state.read { $0.finishes } }
        func release() { state.update { $0.isHeld = false } }
        func waitUntilWriting() { _ = state.wait { $0.isWriting ? () : nil } }
        func waitUntilFinished() { _ = state.wait { $0.finishes > 0 ? () : nil } }
        func finish() { state.update { $0.finishes += 1 } }

        func write(_ sequence: UInt64) {
            state.update { $0.isWriting = true }
            _ = state.wait { $0.isHeld ? nil : () }
            state.update { $0.written.append(sequence) }
        }
    }

    let name = "test"
    let request = SinkRequest(format: .gray)
    let interruption = Interruption()
    private let log: Log

    init(_ log: Log) { self.log = log }

    func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        if log.cannotOpen { throw SinkError(name, "create", .cannotCreate, "made to fail") }
    }

    func write(_ frame: Frame) throws(SinkError) {
        if let failing = log.failingAt, frame.info.sequence == UInt64(failing) {
            throw SinkError(name, "write frame \(failing)", .failed, "made to fail")
        }
        log.write(frame.info.sequence)
    }

    func finish() { log.finish() }
}
