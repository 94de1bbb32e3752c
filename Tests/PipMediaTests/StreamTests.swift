#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipSinks
import PipSources
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Live streams in a session", .serialized)
struct StreamSessionTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    /// Waits until a condition holds, for at most a minute.
    private func wait(_ what: String, until condition: () -> Bool) async throws {
        let end = MonotonicClock().now.advanced(by: .seconds(60))
        while !condition() {
            guard MonotonicClock().now < end else {
                Issue.record("\(what) did not come within a minute")
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Makes a session with a stream source; the session starts even without the server.
    ///
    /// The session also records to the file `recording`, unless the path is nil.
    private func session(
        _ source: StreamSource, _ sink: NumberSink, _ policy: AbsencePolicy = .slate, recording: String? = nil
    ) async throws -> Session {
        let picture = Compositor(canvas: MovieFiles.size) { Layer(source).whenMissing(policy) }
        picture --> CustomSink("numbers") { sink }
        if let recording { picture --> MovieFile(recording) }
        var options = SessionOptions()
        options.clock = .rate(FrameRate(30))
        options.startsWithoutCameras = true
        options.pressure.policy = .off
        return try await Session(picture, options: options)
    }

    @Test(
        "a stream is shown again after its server is killed or frozen, and a recording has every frame",
        arguments: StreamServer.Kind.allCases)
    func returns(kind: StreamServer.Kind) async throws {
        let server = try StreamServer(files, kind)
        try server.listen()
        let sink = NumberSink()
        let recording = files.folder.path("recording.mkv")
        let session = try await session(StreamSource(server.address), sink, recording: recording)
        let run = Task { try await session.run() }
        var state: CameraState? { session.statistics.sources.first?.state }
        var used: Int { session.statistics.sources.first?.used ?? 0 }
        try await wait("the first frames") { state == .streaming && used > 10 }
        #expect(session.statistics.sources.first?.kind == .stream)

        server.stop()
        try await wait("the loss") { state == .lost }
        let drawn = session.statistics.output.frames
        try await wait("frames without the stream") { session.statistics.output.frames > drawn + 30 }
        try server.start()
        var before = used
        try await wait("the return") { state == .streaming && used > before + 20 }

        server.freeze(true)
        try await wait("the silence") { state == .stalled || state == .lost }
        server.freeze(false)
        before = used
        try await wait("the return from ice") { state == .streaming && used > before + 20 }

        session.stop()
        try await run.value
        server.stop()
        let events = session.statistics.sources.first?.events ?? []
        #expect(events.contains { $0.contains("trying again") }, "\(events)")
        #expect(events.contains { $0.contains("is back") }, "\(events)")
        #expect(try Probe(recording).frames == session.statistics.output.frames)
    }

    @Test("a layer's policy for missing cameras also applies to streams", arguments: [AbsencePolicy.hold, .hide])
    func policies(policy: AbsencePolicy) async throws {
        let server = try StreamServer(files, .srt)
        try server.start()
        let sink = NumberSink()
        let session = try await session(StreamSource(server.address), sink, policy)
        let run = Task { try await session.run() }
        try await wait("the first frames") { sink.all.contains { $0 > 5 } }
        server.stop()
        try await wait("the loss") { session.statistics.sources.first?.state == .lost }
        let shown = sink.all.count
        try await wait("frames without the stream") { sink.all.count > shown + 20 }
        session.stop()
        try await run.value
        let last = try #require(sink.all.last)
        #expect(Set(sink.all.suffix(10)) == [last])
        let previous = try #require(sink.all.last { $0 != last })
        // A hidden layer leaves black, which reads as number 0. The stream repeats its 120 frames.
        #expect(policy == .hide ? last == 0 : (1...30).contains((last - previous + 120) % 120))
    }

    @Test("a stream that returns with another size is shown in that size")
    func otherSize() async throws {
        let server = try StreamServer(files, .srt)
        let sink = NumberSink()
        let source = StreamSource("srt://127.0.0.1:\(server.port)")
        try server.start()
        let session = try await session(source, sink)
        let run = Task { try await session.run() }
        try await wait("the first frames") { sink.all.contains { $0 > 5 } }
        server.stop()
        let other = try StreamServer(files, .srt, size: PixelSize(320, 192), port: server.port)
        try other.start()
        try await wait("the other size") { session.statistics.sources.first?.size == PixelSize(320, 192) }
        let before = session.statistics.sources.first?.used ?? 0
        try await wait("frames of it") { (session.statistics.sources.first?.used ?? 0) > before + 10 }
        session.stop()
        try await run.value
    }

    @Test("a missing server is an error of the session's start, unless the session waits for cameras")
    func absent() async throws {
        let address = "rtsp://admin:secret77@127.0.0.1:9/live?token=abcdef"
        let source = StreamSource(address)
        source --> NullSink(.i420)
        let error = await #expect(throws: SessionError.self) { try await Session(source) }
        let text = try #require(error).description
        let reason = "cannot connect to 127.0.0.1, port 9: Connection refused"
        #expect(text == "rtsp://…@127.0.0.1:9/live?…: cannot open: \(reason)", "\(text)")
        #expect(!text.contains("secret77") && !text.contains("abcdef"))

        let server = try StreamServer(files, .srt)
        let sink = NumberSink()
        let session = try await session(StreamSource(server.address), sink)
        let run = Task { try await session.run() }
        try await wait("frames without it") { session.statistics.output.frames > 5 }
        #expect(session.statistics.sources.first?.state == .lost)
        try server.start()
        try await wait("its first frame") { (session.statistics.sources.first?.used ?? 0) > 5 }
        session.stop()
        try await run.value
    }

    @Test("a user's own elements are shown at their pace, and end")
    func elements() async throws {
        let source = StreamSource(
            elements: "videotestsrc num-buffers=30 ! video/x-raw,width=160,height=96,framerate=30/1")
        let sink = NumberSink()
        source --> CustomSink("numbers") { sink }
        let session = try await Session(source)
        try await session.run()
        #expect(sink.all.count >= 25)
        #expect(session.statistics.sources.first?.state == .closed)
    }

    @Test(
        "invalid elements are refused at once, with the reason",
        arguments: [
            ("videotestsrc ! nosuchelement", "nosuchelement"), ("videotestsrc nosuch=3", "nosuch"),
            ("! !", "cannot make a pipeline: syntax error"),
        ])
    func mistakes(elements: String, reason: String) async {
        let source = StreamSource(elements: elements)
        source --> NullSink(.i420)
        let error = await #expect(throws: SessionError.self) { try await Session(source) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
}

@Suite("Timestamps of streams")
struct StreamTimeTests {
    @Test("frames that arrive in bursts are shown evenly, and late frames delay all later ones")
    func playout() {
        var clock = PlayoutClock()
        let start = Timestamp(nanoseconds: 1_000_000_000)
        func at(_ milliseconds: Int) -> Timestamp { start.advanced(by: .milliseconds(milliseconds)) }
        #expect(clock.due(.milliseconds(500), now: at(0)) == at(0))
        #expect(clock.due(.milliseconds(600), now: at(1)) == at(100))
        #expect(clock.due(.milliseconds(700), now: at(150)) == at(200))
        #expect(clock.due(.milliseconds(800), now: at(900)) == at(900))
        #expect(clock.due(.milliseconds(900), now: at(901)) == at(1000))
        // The stream's timestamps have jumped.
        #expect(clock.due(.seconds(5000), now: at(1000)) == at(1000))
        #expect(clock.due(.milliseconds(5_000_100), now: at(1000)) == at(1100))
        #expect(clock.due(nil, now: at(1001)) == at(1001))
    }

    @Test("the delay between attempts to connect grows up to eight seconds")
    func backOff() {
        var backOff = BackOff.ofSources
        let waits = (0..<7).map { _ in backOff.next() }
        #expect(waits == [0.5, 1, 2, 4, 8, 8, 8].map { .seconds($0) })
        backOff.reset()
        #expect(backOff.next() == .milliseconds(500))
    }
}

@Suite("Timestamps of movies")
struct MovieTimesTests {
    @Test("timestamps that a container has rounded are those of the frame rate")
    func snaps() {
        var times = MovieTimes(rate: FrameRate(30))
        for (index, milliseconds) in [23, 56, 90, 123, 156].enumerated() {
            #expect(
                times.place(.milliseconds(milliseconds), .milliseconds(33))
                    == .at(FrameRate(30).offset(ofFrame: index)))
        }
        #expect(times.place(.milliseconds(200), nil) == .at(.milliseconds(177)))
    }

    @Test("each loop begins where the previous one ends")
    func rounds() {
        var times = MovieTimes(rate: FrameRate(10), from: .seconds(1), to: .milliseconds(1200))
        #expect(times.place(.seconds(7), nil) == .before)
        #expect(times.place(.milliseconds(8000), nil) == .at(.zero))
        #expect(times.place(.milliseconds(8100), nil) == .at(.milliseconds(100)))
        #expect(times.place(.milliseconds(8200), nil) == .after)
        times.beginRound()
        #expect(!times.hasShown)
        #expect(times.place(.milliseconds(7900), nil) == .before)
        #expect(times.place(.milliseconds(8000), nil) == .at(.milliseconds(200)))
    }

    @Test("timestamps that start over continue after the earlier ones")
    func joints() {
        var times = MovieTimes(rate: FrameRate(10))
        _ = times.place(.seconds(5), nil)
        #expect(times.place(.milliseconds(5100), nil) == .at(.milliseconds(100)))
        #expect(times.place(.zero, nil) == .at(.milliseconds(200)))
        #expect(times.place(.milliseconds(100), nil) == .at(.milliseconds(300)))
    }

    @Test(
        "the rate of the first frames counts where a file claims another rate",
        arguments: [
            (nil, [0, 33, 67, 100], FrameRate(30)), (FrameRate(105, per: 4), [0, 33, 67, 100, 133], FrameRate(30)),
            (FrameRate(25), [0, 40, 80, 120], FrameRate(25)), (FrameRate(20), [0, 10, 110, 150], FrameRate(20)),
            (nil, [0], FrameRate(30)), (nil, [0, 42, 83, 125, 167, 208], FrameRate(24)),
        ] as [(FrameRate?, [Int], FrameRate)])
    func measured(claimed: FrameRate?, milliseconds: [Int], rate: FrameRate) {
        #expect(FrameRate.measured(claimed, milliseconds.map { .milliseconds($0) }) == rate)
    }
}
#endif
