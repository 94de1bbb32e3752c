import PipFrames
import PipPressure
import Testing

@Suite("Heat as a level")
struct HeatLevelTests {
    @Test(
        "is a temperature's distance from the trips of its zone",
        arguments: [
            (71.9, PressureLevel.nominal), (72, .fair), (79.9, .fair), (80, .serious), (94.9, .serious),
            (95, .critical),
            (99.9, .critical), (100, .shutdown), (105, .shutdown),
        ])
    func trips(celsius: Double, level: PressureLevel) { #expect(Rounds.settled(.zone(celsius)) == level) }

    @Test(
        "takes the passive trip to lie 15 °C below the critical one where there is none",
        arguments: [
            (81.9, PressureLevel.nominal), (82, .fair), (90, .serious), (94.9, .serious), (95, .critical),
            (100, .shutdown),
        ])
    func criticalOnly(celsius: Double, level: PressureLevel) {
        let sample = TemperatureSample(celsius: celsius, limits: TemperatureLimits(critical: .init(105)))
        #expect(Rounds.settled(.temperature(sample)) == level)
    }

    @Test(
        "is critical 5 °C above the passive trip where that is all there is, and never worse",
        arguments: [(84.9, PressureLevel.serious), (85, .critical), (120, .critical)])
    func passiveOnly(celsius: Double, level: PressureLevel) {
        let sample = TemperatureSample(celsius: celsius, limits: TemperatureLimits(passive: .init(80)))
        #expect(Rounds.settled(.temperature(sample)) == level)
    }

    @Test("says nothing where there is nothing to measure a temperature against")
    func noLimits() {
        var assessment = PressureAssessment()
        let sample = SensorSample(source: "wlan", value: .temperature(TemperatureSample(celsius: 120)))
        let state = assessment.assess([sample], load: LoadSample(due: 30), now: .zero)
        #expect(state.level == .nominal)
        #expect(!state.isKnown)
        #expect(state.readings.contains { $0.detail == "120.0 °C, no limits known" })
    }

    @Test(
        "of a camera's sensor has thresholds of its own",
        arguments: [
            (69.9, PressureLevel.nominal), (70, .fair), (80, .serious), (90, .critical), (100, .shutdown),
        ])
    func camera(celsius: Double, level: PressureLevel) {
        let sample = TemperatureSample(celsius: celsius, factor: .cameraTemperature)
        #expect(Rounds.settled(.temperature(sample)) == level)
    }

    @Test("rises to shutdown when the critical trip is ten seconds away")
    func projection() {
        var rounds = Rounds()
        let levels = (0...9).map { rounds.feed(.zone(80 + 1.5 * Double($0))) }
        // 90.5 °C and 1.5 °C a second lead to 105 °C in 9.7 s, and two seconds later the projection still holds.
        #expect(levels.firstIndex(of: .shutdown) == 9)
        #expect(levels[8] == .serious)
    }

    @Test("sees the critical trip come in steps of a degree, five times a second")
    func steps() {
        var rounds = Rounds()
        let levels = (0...60).map { step in
            rounds.feed(.zone((80 + Double(step) * 0.3).rounded(.down)), after: .milliseconds(200))
        }
        let first = levels.firstIndex(of: .shutdown).map { 80 + Double($0) * 0.3 }
        #expect(first.map { (88.0...94).contains($0) } == true, "at \(first ?? 0) °C")
    }

    @Test(
        "takes leaps for no rise, neither one nor several", arguments: [[81.0], [84], [90], [74, 85], [70, 78, 88]])
    func leaps(temperatures: [Double]) {
        for interval in [Duration.seconds(1), .milliseconds(200)] {
            var rounds = Rounds()
            var levels: [PressureLevel] = []
            for celsius in [60] + temperatures {
                for _ in 0..<Int(Duration.seconds(3) / interval) {
                    levels.append(rounds.feed(.zone(celsius), after: interval))
                }
            }
            #expect(levels.max() == .serious)
        }
    }

    @Test("is serious when a cooling device works more than at the start, critical at half of its range")
    func cooling() {
        func level(_ state: Int, baseline: Int = 0) -> PressureLevel {
            Rounds.settled(.cooling(state: state, maximum: 10, baseline: baseline, factor: .systemTemperature))
        }
        #expect(level(0) == .nominal)
        #expect(level(1) == .serious)
        #expect(level(4) == .serious)
        #expect(level(5) == .critical)
        #expect(level(5, baseline: 5) == .nominal)
        #expect(level(6, baseline: 5) == .critical)
    }

    @Test(
        "is the part of the time in which a processor slows itself down",
        arguments: [
            (0, PressureLevel.nominal), (0.0001, .fair), (0.0999, .fair), (0.1, .serious), (0.4999, .serious),
            (0.5, .critical), (1, .critical),
        ])
    func throttling(share: Double, level: PressureLevel) {
        #expect(Rounds.settled(.throttling(share: share)) == level)
    }

    @Test(
        "of a processor that runs up to its limit by design counts as far as it slows itself down",
        arguments: [(0, PressureLevel.fair), (0.01, .fair), (0.2, .serious), (0.6, .critical)])
    func turbo(share: Double, level: PressureLevel) {
        let sample = TemperatureSample(
            celsius: 100, limits: TemperatureLimits(critical: .init(100)), runsToItsLimit: true)
        let counters = SensorSample(source: "throttling", value: .throttling(share: share))
        #expect(Rounds.settled(.temperature(sample), with: [counters]) == level)
    }

    @Test("believes a hardware's alarm only when it is hot")
    func alarm() {
        func level(_ celsius: Double) -> PressureLevel {
            Rounds.settled(
                .temperature(
                    TemperatureSample(
                        celsius: celsius, limits: TemperatureLimits(critical: .init(100)), hasAlarm: true)))
        }
        #expect(level(50) == .nominal)
        #expect(level(84) == .fair)
        #expect(level(85) == .critical)
    }

    @Test("is no more than a hint when a processor's clock is capped, because nobody says by whom")
    func cap() {
        #expect(Rounds.settled(.frequencyCap(kilohertz: 1_000_000, baseline: 2_000_000)) == .fair)
        #expect(Rounds.settled(.frequencyCap(kilohertz: 2_000_000, baseline: 2_000_000)) == .nominal)
    }

    /// Reasons for a GPU's clock, and the level that they lead to.
    struct GPUCase: Sendable {
        let reasons: GPUClockReasons
        let level: PressureLevel
        let factor: PressureFactor
    }

    @Test(
        "of a GPU is why it is slower than it could be",
        arguments: [
            GPUCase(reasons: .softwarePowerCap, level: .fair, factor: .peakPower),
            GPUCase(reasons: .softwareThermal, level: .serious, factor: .gpuTemperature),
            GPUCase(reasons: .hardwareSlowdown, level: .critical, factor: .gpuTemperature),
            GPUCase(reasons: .hardwareThermal, level: .critical, factor: .gpuTemperature),
            GPUCase(reasons: .hardwarePowerBrake, level: .critical, factor: .peakPower),
            GPUCase(reasons: [.softwarePowerCap, .hardwareThermal], level: .critical, factor: .gpuTemperature),
            GPUCase(reasons: GPUClockReasons(rawValue: 0x1), level: .nominal, factor: .gpuTemperature),
        ])
    func gpu(given: GPUCase) {
        var assessment = PressureAssessment()
        let sample = SensorSample(source: "GPU 0", value: .gpuClock(given.reasons))
        _ = assessment.assess([sample], load: LoadSample(), now: .zero)
        let state = assessment.assess([sample], load: LoadSample(), now: Timestamp(nanoseconds: 1_000_000_000))
        let reading = state.readings.first { $0.source == "GPU 0" }
        #expect(reading?.level == given.level)
        #expect(reading?.factor == given.factor)
    }
}
