#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Time-lapses", .timeLimit(.minutes(3)))
struct TimeLapseTests {
    private static let tenSeconds = TimeLapse(every: .seconds(10))
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Draws a pattern for sinks in virtual time, at five frames a second.
    @discardableResult
    private func draw(
        _ pattern: Pattern = .scene, for seconds: Int, _ policy: PressurePolicy = .off, into sinks: [any Sink],
        _ body: @Sendable @escaping (MonotonicClock, Session, [Output]) async throws -> Void = { _, _, _ in }
    ) async throws -> [OutputStatistics] {
        try await VirtualTime.run { clock, _ in
            let picture = PatternSource(pattern, size: PixelSize(160, 96), frameRate: FrameRate(5))
            let outputs = sinks.map { connect(picture, $0) }
            var options = SessionOptions()
            options.time = clock
            options.pressure.policy = policy
            options.pressure.pinned = .nominal
            let session = try await Session(picture, options: options)
            async let run: Void = session.run(for: .seconds(seconds))
            try await body(clock, session, outputs)
            try await run
            return session.statistics.sinks
        }
    }

    private func connect(_ picture: PatternSource, _ sink: some Sink) -> Output { picture --> sink }

    /// The numbers of a file's pictures, counted from the first picture's time, at 25 pictures a second.
    ///
    /// Nil when a picture's time is no multiple of 40 ms.
    private func numbers(_ name: String) throws -> [Int]? {
        let times = try Probe(folder.path(name)).times
        let numbers = times.map { (($0 - times[0]) * 25).rounded() }
        let isExact = zip(times, numbers).allSatisfy { abs($0 - times[0] - $1 / 25) < 0.00002 }
        return isExact ? numbers.map { Int($0) } : nil
    }

    /// The checksums of a file's decoded pictures.
    private func pictures(_ name: String) throws -> [Substring] {
        try runProgram(["ffmpeg", "-v", "error", "-i", folder.path(name), "-f", "framemd5", "-"])
            .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }

    @Test("an hour is 360 pictures at exact times, in every container and as picture files")
    func hour() async throws {
        let names = ["a.mp4", "a.mov", "a.mkv", "a.webm", "a.ts"]
        let movies = names.map { MovieFile(folder.path($0), timeLapse: Self.tenSeconds) }
        let shots = JPEGFiles(folder.path("shots/%06d.jpg")).taken(every: .seconds(10))
        let statistics = try await draw(for: 3600, into: movies + [shots])
        #expect(statistics.map(\.written) == Array(repeating: 360, count: 6), "\(statistics)")
        #expect(statistics.allSatisfy { $0.drops.total == 0 && $0.error == nil })
        for name in names {
            #expect(try numbers(name) == Array(0..<360), "\(name)")
            #expect(Set(try pictures(name)).count > 300, "\(name)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("shots")).count == 360)
    }

    @Test("a time-lapse in parts has each picture once, and its parts are joined without encoding")
    func parts() async throws {
        let endings = ["mp4", "mkv", "webm", "ts"]
        let limit = SegmentLimit.duration(.seconds(4))
        try await draw(
            for: 2500,
            into: endings.map {
                MovieFile(folder.path("a-%03d.\($0)"), segments: limit, timeLapse: Self.tenSeconds)
            })
        for ending in endings {
            let parts = (1...3).map { "a-00\($0).\(ending)" }
            #expect(try parts.map { try numbers($0)?.count } == [100, 100, 50], "\(ending)")
            let result = try await MovieJoin(parts.map { folder.path($0) }, to: folder.path("whole.\(ending)")).run()
            #expect(result.frames == 250)
            #expect(try numbers("whole.\(ending)") == Array(0..<250), "\(ending)")
            #expect(try pictures("whole.\(ending)") == parts.flatMap { try pictures($0) }, "\(ending)")
        }
    }

    @Test(
        "a copy of an unfinished file lacks at most the last minute",
        arguments: [
            ("a.mp4", VideoCodec.h264), ("a.mp4", .h265), ("a.mp4", .vp9), ("a.mov", .h264), ("a.mkv", .h264),
            ("a.mkv", .av1), ("a.webm", .vp8), ("a.ts", .h264),
        ])
    func unfinished(_ name: String, _ codec: VideoCodec) async throws {
        let movie = MovieFile(folder.path(name), encoding: VideoEncoding(codec), timeLapse: Self.tenSeconds)
        let copy = folder.path("copy-\(name)")
        let present = Monitor(0)
        try await draw(for: 620, into: [movie]) { [folder] clock, _, _ in
            // 61 pictures: those at 0 s to 600 s.
            try await clock.sleep(for: .seconds(605))
            clock.virtual?.hold()
            defer { clock.virtual?.release() }
            _ = await becomes {
                try? FileManager.default.removeItem(atPath: copy)
                try? FileManager.default.copyItem(atPath: folder.path(name), toPath: copy)
                present.update { $0 = max($0, (try? Probe(copy).frames) ?? 0) }
                return present.read { $0 } >= 55
            }
        }
        #expect((55...61).contains(present.read { $0 }), "\(present.read { $0 })")
        #expect(try numbers(name) == Array(0..<62))
    }

    @Test("under pressure the movie keeps its speed, however many frames are drawn")
    func pressure() async throws {
        let policy = try PressurePolicy(steps: [PressureStep(at: .serious, .mainRate(FrameRate(1)))])
        let movie = MovieFile(folder.path("a.mp4"), timeLapse: TimeLapse(every: .milliseconds(500)))
        try await draw(for: 60, policy, into: [movie]) { clock, session, _ in
            try await clock.sleep(for: .seconds(20))
            await session.pinPressure(.serious)
            try await clock.sleep(for: .seconds(20))
            await session.pinPressure(.nominal)
        }
        let numbers = try #require(try numbers("a.mp4"))
        // Two pictures a second for 60 s, and every other one left out for 20 s.
        #expect((95...105).contains(numbers.count) && (117...119).contains(numbers.last ?? 0), "\(numbers)")
        #expect(zip(numbers.dropFirst(), numbers).allSatisfy { (1...2).contains($0 - $1) }, "\(numbers)")
    }

    @Test("pictures in which nothing moves, and dark ones, are left out")
    func conditions() async throws {
        let second = Duration.seconds(1)
        func counts(_ pattern: Pattern, _ name: String) async throws -> [Int] {
            try await draw(
                pattern, for: 20,
                into: [
                    JPEGFiles(folder.path("\(name)-a/%d.jpg")).taken(every: second, when: .motion(above: 0.005)),
                    JPEGFiles(folder.path("\(name)-b/%d.jpg")).taken(every: second, when: .light(above: 0.95)),
                    MovieFile(
                        folder.path("\(name).mp4"), timeLapse: TimeLapse(every: second, when: .light(above: 0.05))),
                ]
            ).map(\.written)
        }
        #expect(try await counts(.bars, "still") == [1, 0, 20])
        #expect(try await counts(.noise, "noise") == [20, 0, 20])
        #expect(try numbers("noise.mp4") == Array(0..<20))
    }

    @Test("a pause, and an output that is added later, begin with a picture at once")
    func later() async throws {
        let hourly = MovieFile(folder.path("a.mp4"), timeLapse: TimeLapse(every: .seconds(3600)))
        let often = JPEGFiles(folder.path("%d.jpg")).taken(every: .seconds(10))
        let counts = Monitor<[Int]>([])
        try await draw(for: 100, into: [often, hourly]) { clock, session, outputs in
            try await clock.sleep(for: .seconds(15))
            try outputs[0].pause()
            try await clock.sleep(for: .seconds(40))
            try outputs[0].resume()
            try await clock.sleep(for: .seconds(2))
            counts.update { $0.append(outputs[0].statistics.written) }
        }
        // Pictures at 0 s and 10 s, and one at the end of the pause.
        #expect(counts.read { $0 } == [3])
        // The next ones are at 60, 70, 80 and 90 s.
        #expect(try folder.names.filter { $0.hasSuffix(".jpg") }.count == 7)
        #expect(try Probe(folder.path("a.mp4")).frames == 1)
    }

    @Test("a time-lapse that makes no sense is an error with its reason, and no file is made")
    func mistakes() async throws {
        let path = folder.path("a.mp4")
        let mixer = AudioMixer()
        mixer.add(ToneSource(440))
        let window = ClipWindow(before: .seconds(1), after: .seconds(1))
        let cases: [(MovieFile, String)] = [
            (MovieFile(path, timeLapse: TimeLapse(every: .zero)), "slower than life"),
            (MovieFile(path, timeLapse: TimeLapse(every: .seconds(-5))), "slower than life"),
            (MovieFile(path, timeLapse: TimeLapse(speedUp: .nan)), "slower than life"),
            (MovieFile(path, timeLapse: TimeLapse(speedUp: 1e30)), "at most 365 days"),
            (MovieFile(path, timeLapse: TimeLapse(every: .seconds(366 * 86_400))), "at most 365 days"),
            (MovieFile(path, timeLapse: TimeLapse(every: .milliseconds(40))), "only 5 frames a second"),
            (MovieFile(path, sound: [mixer], timeLapse: Self.tenSeconds), "has no sound"),
            (MovieFile(path, clips: window, timeLapse: Self.tenSeconds), "has no clips"),
        ]
        for (sink, reason) in cases {
            let error = await #expect(throws: SessionError.self) { try await draw(for: 1, into: [sink]) }
            #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
        }
        #expect(try folder.names == [])
    }

    @Test("a speed-up is an interval, rounded down to nanoseconds")
    func speedUp() {
        #expect(TimeLapse(speedUp: 250).every == .seconds(10))
        #expect(TimeLapse(speedUp: 250, frameRate: FrameRate(30)).every == .nanoseconds(8_333_333_333))
        #expect(TimeLapse(speedUp: 1).every == .milliseconds(40) && TimeLapse(speedUp: 1).mistake == nil)
        #expect(TimeLapse(speedUp: 0.99).mistake != nil)
    }

    @Test("a file's fragments hold little real time, and at least one picture")
    func fragments() {
        let intervals: [(Duration, Duration)] = [
            (.milliseconds(40), .milliseconds(500)), (.seconds(1), .milliseconds(500)),
            (.seconds(10), .milliseconds(80)), (.seconds(3600), .milliseconds(1)),
        ]
        for (every, length) in intervals { #expect(TimeLapse(every: every).fragment == length, "\(every)") }
    }

    @Test("an encoder that holds back many pictures is left out, unless it is asked for")
    func prompt() throws {
        var encoding = VideoEncoding(.av1)
        encoding.isPrompt = true
        #expect(!(try EncoderChoice.candidates(encoding).contains { $0.name == "svtav1enc" }))
        #expect(try EncoderChoice.candidates(VideoEncoding(.av1)).contains { $0.name == "svtav1enc" })
        encoding.encoder = "svtav1enc"
        #expect(try EncoderChoice.candidates(encoding).map(\.name) == ["svtav1enc"])
    }
}
#endif
