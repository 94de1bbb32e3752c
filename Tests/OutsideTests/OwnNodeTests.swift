import PipCompose
import Testing

@Suite("A sink and a source of a user's own", .timeLimit(.minutes(2)))
struct OwnNodeTests {
    private let log = CollectingSink.Log()

    private static var offline: SessionOptions {
        var options = SessionOptions()
        options.pace = .maximum
        return options
    }

    private static func live(_ rate: Int) -> SessionOptions {
        var options = SessionOptions()
        options.clock = .rate(FrameRate(rate))
        options.pressure.policy = .off
        return options
    }

    private func sink(_ label: String = "collector", failsAt: Int? = nil) -> CustomSink {
        CustomSink(label) { [log] in CollectingSink(log, failsAt: failsAt) }
    }

    private func source(count: Int = .max, failsAt: Int? = nil) -> CustomSource {
        CustomSource("numbers") { NumberedSource(count: count, failsAt: failsAt) }
    }

    /// Waits until a condition holds, or the task is cancelled.
    private func wait(until condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("a user's source and sink carry every frame unchanged, and are finished once")
    func offline() async throws {
        let source = source(count: 300)
        let output = source --> sink()
        let session = try await Session(source, options: Self.offline)
        try await session.run()
        #expect(log.read { $0.numbers } == Array(0..<300))
        #expect(log.read { $0.wrongSamples } == 0)
        #expect(log.read { $0.size } == NumberedFrames.size)
        #expect(log.read { $0.rate } == NumberedFrames.rate)
        #expect(log.read { $0.finishes } == 1)
        #expect(output.state == .finished)
        #expect(output.statistics.written == 300)
    }

    @Test("a user's source and sink show whole frames in order in real time, until the session is stopped")
    func live() async throws {
        let source = source()
        let output = source --> sink()
        let session = try await Session(source, options: Self.live(50))
        async let run: Void = session.run()
        try await wait { log.read { $0.numbers.last ?? 0 } >= 20 }
        session.stop()
        try await run
        let numbers = log.read { $0.numbers }
        #expect(numbers == numbers.sorted())
        #expect(log.read { $0.wrongSamples } == 0)
        #expect(log.read { $0.finishes } == 1)
        #expect(output.statistics.written == numbers.count)
    }

    @Test("a sink that throws ends with an error that names it, and another sink gets all frames")
    func badSink() async throws {
        let source = source(count: 100)
        let bad = source --> CustomSink("bad") { CollectingSink(CollectingSink.Log(), failsAt: 10) }
        source --> sink()
        let session = try await Session(source, options: Self.offline)
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        #expect(error?.description == "bad: cannot write frame 10: the model is not loaded")
        guard case .failed(let failure) = bad.state else {
            Issue.record("the output is \(bad.state)")
            return
        }
        #expect(failure.sink == "bad")
        #expect(bad.statistics.written == 10)
        #expect(log.read { $0.numbers } == Array(0..<100))
    }

    @Test("a source that throws ends with an error that names it, and its earlier frames are written")
    func badSource() async throws {
        let source = source(failsAt: 30)
        source --> sink()
        let session = try await Session(source, options: Self.offline)
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        #expect(error?.description == "numbers: cannot provide frame 30: the cable is loose")
        #expect(log.read { $0.numbers } == Array(0..<30))
        #expect(log.read { $0.finishes } == 1)
    }

    @Test("an output that is stopped early has every frame from its first to its last, and the session continues")
    func stopped() async throws {
        let source = source()
        let output = source --> sink()
        let other = CollectingSink.Log()
        source --> CustomSink("other") { CollectingSink(other) }
        let session = try await Session(source, options: Self.offline)
        async let run: Void = session.run()
        try await wait { log.read { $0.numbers.count } >= 20 }
        try await output.stop()
        let count = log.read { $0.numbers.count }
        #expect(log.read { $0.finishes } == 1)
        try await wait { other.read { $0.numbers.count } >= count + 20 }
        session.stop()
        try await run
        #expect(log.read { $0.numbers } == Array(0..<count))
    }
}
