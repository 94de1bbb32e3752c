import Foundation
import PipCapture
import PipCompose
import PipPatterns
import PipTestSupport
import Testing

@Suite("A session under pressure")
struct PressureSessionTests {
    @Test(
        "under pressure a session draws fewer frames, and its file plays for as long as it ran",
        arguments: [PressureLevel.nominal, .serious])
    func fileTime(level: PressureLevel) async throws {
        let folder = try TemporaryFolder()
        let source = PatternSource(.bars, size: smallSize)
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let statistics = try await VirtualTime.run { clock, _ in
            let session = try await Session(source, options: .pinned(level).by(clock))
            try await session.run(for: .seconds(2))
            return session.statistics
        }
        let frameSize = smallSize.area * 3 / 2
        let written = try folder.read("out.nv12").count / frameSize
        #expect(statistics.output.missed == 0)
        #expect(abs(written - 60) <= 2, "every moment is in the file")
        #expect(statistics.sinks[0].written + statistics.sinks[0].repeated == written)
        if level == .serious {
            #expect(statistics.output.thinned >= 15)
            #expect(statistics.sinks[0].repeated >= 15)
        } else {
            #expect(statistics.output.thinned == 0)
        }
    }

    @Test("the events of each change tell the level, the mitigations and the rates")
    func events() async throws {
        let source = PatternSource(.bars, size: smallSize)
        source --> NullSink(.nv12)
        let session = try await VirtualTime.run { clock, _ in
            let session = try await Session(source, options: .pinned(.serious).by(clock))
            try await session.run(for: .milliseconds(500))
            return session
        }
        let event = try #require(session.statistics.pressure.events.first)
        #expect(event.level == .serious)
        #expect(event.previousLevel == .nominal)
        #expect(event.factors == [.systemTemperature: .serious])
        #expect(event.rateBefore == FrameRate(30))
        #expect(event.rateAfter == FrameRate(20))
        #expect(event.taken.contains(.mainRate(FrameRate(20))))
        var told: [PressureEvent] = []
        for await case .pressure(let event) in session.events { told.append(event) }
        #expect(told == session.statistics.pressure.events)
    }

    @Test("optional effects are left out under pressure, and drawn again afterwards")
    func effects() async throws {
        let source = PatternSource(.bars, size: smallSize)
        let picture = Compositor { Layer(source --> GaussianBlur(radius: 8) --> Vignette(strength: 0.5)) }
        picture --> NullSink(.nv12)
        // The session uses OpenGL ES, because the CPU draws a layer with all of its effects in one pass.
        var live = SessionOptions.live(30)
        live.renderer = .gl
        let full = try await Session(picture, options: live).plan.cost
        var policy = PressurePolicy.balanced
        policy.timing.dwell = .zero
        policy.timing.restoreInterval = .zero
        policy.timing.cameraHold = .zero
        var pinned = SessionOptions.pinned(.critical, policy)
        pinned.renderer = .gl
        let session = try await Session(picture, options: pinned)
        async let running: Void = session.run()
        #expect(await waitUntil { session.plan.cost.passes < full.passes })
        await session.pinPressure(.nominal)
        #expect(await waitUntil { session.plan.cost == full })
        session.stop()
        try await running
    }

    @Test("a session ends by itself at the level shutdown, with complete files and without an error")
    func shutdown() async throws {
        let folder = try TemporaryFolder()
        let source = PatternSource(.bars, size: smallSize)
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(source, options: .pinned(.nominal))
        async let running: Void = session.run()
        #expect(await waitUntil { session.statistics.output.frames > 5 })
        await session.pinPressure(.shutdown)
        try await running
        let bytes = try folder.read("out.nv12").count
        #expect(bytes > 0 && bytes % (smallSize.area * 3 / 2) == 0)
        #expect(session.statistics.pressure.events.last?.taken.contains(.stop) == true)
    }

    @Test("the expected cost falls with every mitigation, and is almost zero when the session is paused")
    func savings() async throws {
        let main = PatternSource(.bars, size: .hd720)
        let picture = Compositor {
            Layer(main --> Vignette(strength: 0.5) --> GaussianBlur(radius: 8))
            Layer(PatternSource(.bars, size: smallSize)).placed(.topRight, width: 0.25)
        }
        picture --> NullSink(.nv12)
        let session = try await Session(picture, options: .live(30))
        let cost = try await session.predictedCost
        #expect(cost.renderCost > 0)
        #expect(cost.decodeCost == 0)
        let savings = try await session.predictedSavings(of: .balanced)
        #expect(savings.count == PressurePolicy.balanced.steps.count)
        #expect(savings.allSatisfy { $0 >= 0 })
        let paced = try #require(PressurePolicy.balanced.steps.firstIndex { $0.mitigation == .mainRate(FrameRate(20)) })
        #expect(savings[paced] > 0)
        #expect(abs(savings.reduce(0, +) - cost.total) < 1e-9, "the last mitigation ends the session")
    }

    @Test("another policy takes effect as soon as it is set")
    func policy() async throws {
        let (before, given, after) = try await VirtualTime.run { clock, _ in
            let source = PatternSource(.bars, size: smallSize)
            source --> NullSink(.nv12)
            let session = try await Session(source, options: .pinned(.serious).by(clock))
            async let running: Void = session.run()
            try await clock.sleep(for: .seconds(20))
            let before = session.statistics.output
            await session.setPressurePolicy(.off)
            // The session takes a pressure sample once a second.
            try await clock.sleep(for: .seconds(1.5))
            let given = session.statistics.output
            try await clock.sleep(for: .seconds(10))
            let after = session.statistics.output
            session.stop()
            try await running
            return (before, given, after)
        }
        #expect(before.thinned > 100, "\(before)")
        #expect(after.thinned == given.thinned, "\(given), then \(after)")
        // A frame may be due at the same time as the statistics are read.
        #expect((299...301).contains(after.frames - given.frames), "\(given), then \(after)")
    }

    @Test("a thermometer is measured against the current policy's thresholds, and an unknown name is reported")
    func thresholds() async throws {
        let folder = try TemporaryFolder()
        let zone = folder.url.appending(path: "sys/class/thermal/thermal_zone0")
        try FileManager.default.createDirectory(at: zone, withIntermediateDirectories: true)
        for (file, text) in [("type", "cpu-thermal"), ("temp", "62000")] {
            try Data(text.utf8).write(to: zone.appending(path: file))
        }
        let source = PatternSource(.bars, size: smallSize)
        source --> NullSink(.nv12)
        var options = SessionOptions.live(30)
        options.pressure.root = folder.url.path
        let session = try await Session(source, options: options)
        async let running: Void = session.run()
        #expect(await waitUntil { level(of: session) == .nominal })
        var policy = PressurePolicy.off
        policy.thresholds = ["cpu-thermal": LevelThresholds(critical: 60), "gpu": LevelThresholds(fair: 60)]
        await session.setPressurePolicy(policy)
        #expect(await waitUntil { level(of: session) == .critical })
        session.stop()
        try await running
        var unknown: [String] = []
        for await case .sensorFailed(let problem) in session.events { unknown.append(problem.source) }
        #expect(unknown == ["gpu"])
    }

    private func level(of session: Session) -> PressureLevel? {
        session.statistics.pressure.state.readings.first { $0.source == "thermal_zone0 (cpu-thermal)" }?.level
    }
}
