import Foundation
import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    // A debug build would plan too slowly in real time on the guest's single processor.
    @Suite("Two cameras in the heat of a real thermal zone", .inVirtualTime)
    struct HeatedSessionTests {
        private static let size = PixelSize(320, 180)
        private static let rate = FrameRate(30)

        @Test(
            "row 68: takes measures level by level, switches the inset off and on without a gap in the main camera, and ends where it began"
        )
        func heatAndCool() async throws {
            let folder = try TemporaryFolder()
            var heating = Heating(
                steps: [
                    .init(celsius: 60, until: .nominal), .init(celsius: 74, until: .fair, lasting: 180),
                    .init(celsius: 84, until: .serious, lasting: 120),
                    .init(celsius: 97, until: .critical, lasting: 45),
                    .init(celsius: 84, until: .serious), .init(celsius: 70, until: .fair),
                    .init(celsius: 55, until: .nominal),
                ])
            let run = try await withModule("pip_thermal", ["type=cpu-thermal"]) {
                try await Vivid.withWebcams { nodes in
                    let (main, inset) = (nodes[0].source(Self.size), nodes[1].source(Self.size))
                    let picture = Compositor {
                        Layer(main)
                        Layer(inset --> GaussianBlur(radius: 6)).placed(.topRight, width: 0.25).whenMissing(.hide)
                    }
                    picture --> RawFile(folder.path("out.i420"), format: .i420)
                    let tap = FrameTap(.nv12, buffering: .newest(8))
                    picture --> tap
                    return try await SessionRun.watching(picture, tap, frames: 3000, options: Self.governed) {
                        _, _, session in
                        try heating.look(session)
                        let events = session.statistics.pressure.events
                        if heating.isOver, events.flatMap(\.taken).count == events.flatMap(\.restored).count {
                            session.stop()
                        }
                    }
                }
            }
            let pressure = run.statistics.pressure
            #expect(
                pressure.events.filter { $0.level != $0.previousLevel }.map(\.level)
                    == [.fair, .serious, .critical, .serious, .fair, .nominal])
            #expect(pressure.events.flatMap(\.taken) == pressure.events.flatMap(\.restored).reversed())
            try expectMeasures(pressure.events)
            #expect(run.cameraEvents.map(\.event) == [.disabled, .enabled])
            // The driver itself loses frames under load, on the guest's single processor.
            let main = run.statistics.sources[0]
            let mayBeLost = Double(main.lastSequence ?? 0) / 50 + 30 * run.stalled.inSeconds
            #expect(Double(main.drops[.sequenceGap]) <= mayBeLost, "\(main), stalled for \(run.stalled)")
            for source in run.statistics.sources { run.expectAccounted(source) }
            let rates = heating.framesPerSecond
            #expect(rates[.serious].map { abs($0 - 20) < 1.5 } == true, "\(rates)")
            #expect(rates[.critical].map { abs($0 - 15) < 1.5 } == true, "\(rates)")
            try expectWhole(folder.path("out.i420"), run)
            FaultReport.record(
                row: 68,
                figures: "acted within \((heating.slowest.inSeconds * 10).rounded() / 10) s; "
                    + "serious \((rates[.serious] ?? 0).rounded()) fps, critical \((rates[.critical] ?? 0).rounded()) fps"
            )
            // The test needs some frames to notice the reaction.
            #expect(heating.slowest - run.stalled < .milliseconds(2200))
        }

        /// The balanced policy with shorter times, so that the test is short.
        private static var governed: SessionOptions {
            var options = SessionOptions()
            options.pressure.policy.timing.dwell = .seconds(1)
            options.pressure.policy.timing.restoreInterval = .milliseconds(200)
            options.pressure.policy.timing.cameraHold = .seconds(1)
            // The guest's processor is slow, so the steps that react to load after a delay are left out.
            options.pressure.policy.steps.removeAll { $0.delay > .zero }
            return options
        }

        private func expectMeasures(_ events: [PressureEvent]) throws {
            let fair = try #require(events.first { $0.level == .fair })
            #expect(fair.taken == [.insetRate(FrameRate(15))])
            #expect(fair.rateAfter == Self.rate)
            let serious = try #require(events.first { $0.level == .serious })
            #expect(serious.rateAfter == FrameRate(20))
            #expect(serious.factors[.systemTemperature] == .serious)
            let critical = try #require(events.first { $0.level == .critical })
            #expect(critical.taken.contains(.insetOff))
            #expect(critical.rateAfter == FrameRate(15))
            #expect(events.last?.rateAfter == Self.rate)
        }

        /// Expects that a file has a frame for every output moment that was neither missed nor dropped.
        ///
        /// The tolerance is three frames.
        private func expectWhole(_ path: String, _ run: SessionRun) throws {
            let bytes = try Data(contentsOf: URL(filePath: path)).count
            let frameBytes = Self.size.area * 3 / 2
            let sink = run.statistics.sinks[0]
            #expect(bytes == (sink.written + sink.repeated) * frameBytes)
            let moments = run.statistics.output.frames + run.statistics.output.thinned - sink.drops.total
            #expect(abs(bytes / frameBytes - moments) <= 3, "\(bytes / frameBytes) of \(moments)")
        }
    }
}

/// Heats the thermal zone step by step.
///
/// A step ends once the session has reacted to it.
private struct Heating {
    /// The temperatures at which levels begin, in °C: 8 °C below the passive threshold, the passive threshold, and the
    /// hot threshold.
    private static let thresholds: [PressureLevel: Double] = [.fair: 72, .serious: 80, .critical: 95]
    /// The rate at which the temperature is changed, below the 20 °C a second that count as a sensor error.
    private static let degreesPerSecond = 14.0

    struct Step {
        var celsius: Int
        /// The level that the session must reach before the step ends.
        var until: PressureLevel
        /// The number of output frames for which the level must last.
        var lasting = 10
    }

    private let steps: [Step]
    private var index = 0
    private var celsius: Double
    private var looked = MonotonicClock().now
    private var started = MonotonicClock().now
    /// The time at which the temperature reached the threshold of the step's level.
    private var crossed: Timestamp?
    private var reached: SessionStatistics.Output?
    /// The output rate that the session aimed at during each level that a step required for more than ten frames.
    private(set) var framesPerSecond: [PressureLevel: Double] = [:]
    /// The longest delay between reaching a threshold and the reaction of the session.
    private(set) var slowest = Duration.zero

    init(steps: [Step]) {
        self.steps = steps
        celsius = Double(steps[0].celsius)
    }

    var isOver: Bool { index >= steps.count }

    /// Advances the temperature, and observes the session.
    ///
    /// Must be called once for each frame.
    mutating func look(_ session: Session) throws {
        let now = MonotonicClock().now
        guard !isOver else { return }
        try heat(by: Self.degreesPerSecond * looked.duration(to: now).inSeconds, now: now)
        looked = now
        let step = steps[index]
        let statistics = session.statistics
        guard statistics.pressure.state.level == step.until else {
            try #require(
                started.duration(to: now) < .seconds(20),
                "\(step): \(statistics.pressure.state); \(statistics.pressure.events)")
            return
        }
        guard let reached else {
            if let crossed { slowest = max(slowest, crossed.duration(to: now)) }
            self.reached = statistics.output
            return
        }
        let output = statistics.output
        guard output.frames - reached.frames >= step.lasting else { return }
        if step.lasting > 10 {
            let wanted = Double(output.frames + output.missed - reached.frames - reached.missed)
            framesPerSecond[step.until] = 30 * wanted / (wanted + Double(output.thinned - reached.thinned))
        }
        index += 1
        (self.reached, crossed, started) = (nil, nil, now)
    }

    /// Moves the temperature by at most `degrees` towards the step's temperature.
    private mutating func heat(by degrees: Double, now: Timestamp) throws {
        let (step, before) = (steps[index], celsius)
        celsius += min(max(Double(step.celsius) - celsius, -degrees), degrees)
        if let threshold = Self.thresholds[step.until], before < threshold, celsius >= threshold { crossed = now }
        try Data("\(Int(celsius * 1000))".utf8)
            .write(to: URL(filePath: "/sys/module/pip_thermal/parameters/temperature"))
    }
}
