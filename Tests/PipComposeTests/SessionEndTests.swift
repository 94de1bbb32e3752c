import PipPatterns
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("How a session ends", .serialized, .timeLimit(.minutes(5)))
struct SessionEndTests {
    let folder: TemporaryFolder
    let frameBytes = 64 * 72

    init() throws { folder = try TemporaryFolder() }

    @Test("a session ends after a number of frames", arguments: [1, 7])
    func frames(count: Int) async throws {
        let source = try folder.gray(77)
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(source, options: .offline)
        try await session.run(frames: count)
        #expect(try folder.read("out.nv12").count == count * frameBytes)
        #expect(session.statistics.output.frames == count)
        #expect(session.statistics.sinks.map(\.written) == [count])
    }

    @Test("a session ends after a duration, counted in frames at maximum pace")
    func duration() async throws {
        let source = try folder.gray(77)
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(source, options: .offline)
        try await session.run(for: .milliseconds(500))
        #expect(try folder.read("out.nv12").count == 15 * frameBytes)
    }

    @Test("a session in real time ends after a duration, and each period has a frame or counts as missed")
    func realTime() async throws {
        let source = try folder.gray(77)
        source --> NullSink(.nv12)
        let session = try await Session(source, options: .live(100))
        try await session.run(for: .milliseconds(300))
        let output = session.statistics.output
        #expect(output.frames + output.missed == 30)
    }

    @Test("a session ends with the longest of its files")
    func longestFile() async throws {
        let short = RawSource(try folder.grayFile("a", [10, 20]), format: .nv12, size: smallSize)
        let long = RawSource(try folder.grayFile("b", [30, 40, 50, 60, 70]), format: .nv12, size: smallSize)
        let picture = Compositor {
            Layer(short)
            Layer(long).placed(x: 0, y: 0, width: 32, height: 24)
        }
        picture --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(picture, options: .offline)
        try await session.run()
        let bytes = try folder.read("out.nv12")
        #expect(bytes.count == 5 * frameBytes)
        let firsts = (0..<5).map { (frame: Int) -> Int in frame * frameBytes }
        #expect(firsts.map { bytes[$0 + 47 * 64] } == [10, 20, 20, 20, 20])
        #expect(firsts.map { bytes[$0] } == [30, 40, 50, 60, 70])
        let statistics = session.statistics
        #expect(statistics.sources.map(\.used) == [2, 5])
        #expect(statistics.sources.map(\.delivered) == [2, 5])
    }

    @Test("a session ends with its files, although a pattern is endless", arguments: [false, true])
    func fileWithPattern(isLive: Bool) async throws {
        let file = RawSource(try folder.grayFile("a", [10, 20, 30]), format: .nv12, size: smallSize)
        let picture = Compositor {
            Layer(file)
            Layer(PatternSource(.bars, size: smallSize)).placed(x: 0, y: 0, width: 32, height: 24)
        }
        picture --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(picture, options: isLive ? .live(30) : .offline)
        try await session.run()
        let count = try folder.read("out.nv12").count / frameBytes
        #expect(isLive ? (1...9).contains(count) : count == 3)
    }

    @Test("a session ends when it is stopped, and its file holds all drawn frames")
    func stop() async throws {
        let source = try folder.gray(99)
        let tap = FrameTap(.nv12)
        source --> tap
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(source, options: .offline)
        let (_, error) = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await firstFrame(&frames) { $0.info.sequence >= 5 }
        }
        #expect(error == nil)
        let count = try folder.read("out.nv12").count
        #expect(count % frameBytes == 0 && count / frameBytes == session.statistics.sinks[1].written)
        // A stopped session does not wait long for a slow sink, which therefore drops frames.
        let statistics = session.statistics
        #expect(statistics.sinks[1].written + statistics.sinks[1].drops.total == statistics.output.frames)
    }

    @Test("a session that is stopped before it runs ends at once")
    func stopFirst() async throws {
        let source = try folder.gray(99)
        source --> NullSink(.nv12)
        let session = try await Session(source, options: .offline)
        session.stop()
        try await session.run()
        #expect(session.statistics.output.frames == 0)
    }

    @Test("a session ends when its task is cancelled, and its files are finished")
    func cancellation() async throws {
        let source = try folder.gray(50)
        let tap = FrameTap(.nv12)
        source --> tap
        source --> Y4MFile(folder.path("out.y4m"))
        let session = try await Session(source, options: .offline)
        let run = Task { try await session.run() }
        var frames = tap.frames.makeAsyncIterator()
        _ = await firstFrame(&frames) { $0.info.sequence >= 3 }
        run.cancel()
        try await run.value
        let bytes = try folder.read("out.y4m")
        let header = try #require(bytes.firstIndex(of: 10)) + 1
        #expect((bytes.count - header) % (frameBytes + 6) == 0)
        #expect((bytes.count - header) / (frameBytes + 6) == session.statistics.sinks[1].written)
    }

    @Test("a session runs only once: a second run is refused")
    func onlyOnce() async throws {
        let source = try folder.gray(50)
        source --> NullSink(.nv12)
        let session = try await Session(source, options: .offline)
        try await session.run(frames: 1)
        await #expect(throws: SessionError.alreadyRan) { try await session.run(frames: 1) }
        #expect(!session.isRunning)
        let reported = await events(of: session).map(\.description)
        #expect(reported == ["started", "stopped"])
    }

    @Test("row 47: a failed sink is reported and left out, the other sinks continue, and the run throws at its end")
    func failingSink() async throws {
        let source = RawSource(
            try folder.grayFile("a", Array(repeating: 9, count: 40)), format: .nv12, size: smallSize)
        source --> RawFile("/dev/full", format: .nv12)
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(source, options: .offline)
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        #expect(error?.description.contains("/dev/full") == true)
        #expect(error?.description.contains("No space left on device") == true)
        #expect(try folder.read("out.nv12").count == 40 * frameBytes)
        let sinks = session.statistics.sinks
        #expect(sinks[0].error != nil && sinks[1].error == nil)
        #expect(sinks[1].written == 40)
        let failures = await events(of: session).filter { if case .sinkFailed = $0 { true } else { false } }
        #expect(failures.count == 1)
    }

    @Test("a session ends with an error when all sinks have failed")
    func allSinksFail() async throws {
        let source = try folder.gray(50)
        source --> RawFile("/dev/full", format: .nv12)
        let session = try await Session(source, options: .offline)
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        guard case .sink? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a file that cannot be created is an error of the run, before any frame is drawn")
    func uncreatable() async throws {
        let source = try folder.gray(50)
        source --> RawFile(folder.path("missing/out.nv12"), format: .nv12)
        let session = try await Session(source, options: .offline)
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        #expect(error?.description.contains("missing/out.nv12") == true)
        #expect(session.statistics.output.frames == 0)
    }

    @Test("graphs that cannot be drawn are refused when the session is made")
    func refusals() async throws {
        let source = try folder.gray(50)
        await #expect(throws: SessionError.graph(.noSinks)) { try await Session(source) }
        let bright = source --> Brightness(5)
        bright --> NullSink(.nv12)
        let error = await #expect(throws: SessionError.self) { try await Session(source) }
        #expect(error?.description == "brightness: brightness is 5, but must be -1 to 1")
        guard case .effect? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let missing = RawSource(folder.path("nothing.nv12"), format: .nv12, size: smallSize)
        missing --> NullSink(.nv12)
        let absent = await #expect(throws: SessionError.self) { try await Session(missing) }
        #expect(absent?.description.contains("nothing.nv12") == true)
    }
}
