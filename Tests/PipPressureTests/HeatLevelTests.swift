import PipFrames
import PipPressure
import Testing

@Suite("Heat as a level")
struct HeatLevelTests {
    @Test(
        "the level follows a temperature's distance from its zone's trips",
        arguments: [
            (71.9, PressureLevel.nominal), (72, .fair), (79.9, .fair), (80, .serious), (94.9, .serious),
            (95, .critical),
            (99.9, .critical), (100, .shutdown), (105, .shutdown),
        ])
    func trips(celsius: Double, level: PressureLevel) { #expect(Rounds.settled(.zone(celsius)) == level) }

    @Test(
        "without a passive trip, one 15 °C below the critical trip is assumed",
        arguments: [
            (81.9, PressureLevel.nominal), (82, .fair), (90, .serious), (94.9, .serious), (95, .critical),
            (100, .shutdown),
        ])
    func criticalOnly(celsius: Double, level: PressureLevel) {
        let sample = TemperatureSample(celsius: celsius, limits: TemperatureLimits(critical: .init(105)))
        #expect(Rounds.settled(.temperature(sample)) == level)
    }

    @Test(
        "with only a passive trip, the level is critical 5 °C above it, and never worse",
        arguments: [(84.9, PressureLevel.serious), (85, .critical), (120, .critical)])
    func passiveOnly(celsius: Double, level: PressureLevel) {
        let sample = TemperatureSample(celsius: celsius, limits: TemperatureLimits(passive: .init(80)))
        #expect(Rounds.settled(.temperature(sample)) == level)
    }

    @Test("a temperature without any limit has no level")
    func noLimits() {
        var assessment = PressureAssessment()
        let sample = SensorSample(source: "wlan", value: .temperature(TemperatureSample(celsius: 120)))
        let state = assessment.assess([sample], load: LoadSample(due: 30), now: .zero)
        #expect(state.level == .nominal)
        #expect(!state.isKnown)
        #expect(state.readings.contains { $0.detail == "120.0 °C, no limits known" })
    }

    @Test(
        "a camera's sensor has its own thresholds",
        arguments: [
            (69.9, PressureLevel.nominal), (70, .fair), (80, .serious), (90, .critical), (100, .shutdown),
        ])
    func camera(celsius: Double, level: PressureLevel) {
        let sample = TemperatureSample(celsius: celsius, factor: .cameraTemperature)
        #expect(Rounds.settled(.temperature(sample)) == level)
    }

    @Test("the level rises to shutdown when the critical trip is ten seconds away")
    func projection() {
        var rounds = Rounds()
        let levels = (0...9).map { rounds.feed(.zone(80 + 1.5 * Double($0))) }
        // A rise of 1.5 °C a second leads from 90.5 to 105 °C in 9.7 s, and two seconds later the projection still
        // holds.
        #expect(levels.firstIndex(of: .shutdown) == 9)
        #expect(levels[8] == .serious)
    }

    @Test("the critical trip is foreseen from steps of one degree, five times a second")
    func steps() {
        var rounds = Rounds()
        let levels = (0...60).map { step in
            rounds.feed(.zone((80 + Double(step) * 0.3).rounded(.down)), after: .milliseconds(200))
        }
        let first = levels.firstIndex(of: .shutdown).map { 80 + Double($0) * 0.3 }
        #expect(first.map { (88.0...94).contains($0) } == true, "at \(first ?? 0) °C")
    }

    @Test(
        "one leap or several do not count as a rise", arguments: [[81.0], [84], [90], [74, 85], [70, 78, 88]])
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

    @Test("the level is serious when a cooling device works more than at the start, and critical at half of its range")
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
        "the level follows the share of time in which a processor throttles",
        arguments: [
            (0, PressureLevel.nominal), (0.0001, .fair), (0.0999, .fair), (0.1, .serious), (0.4999, .serious),
            (0.5, .critical), (1, .critical),
        ])
    func throttling(share: Double, level: PressureLevel) {
        #expect(Rounds.settled(.throttling(share: share)) == level)
    }

    @Test(
        "a processor that runs to its limit by design counts only by its throttling",
        arguments: [(0, PressureLevel.fair), (0.01, .fair), (0.2, .serious), (0.6, .critical)])
    func turbo(share: Double, level: PressureLevel) {
        let sample = TemperatureSample(
            celsius: 100, limits: TemperatureLimits(critical: .init(100)), runsToItsLimit: true)
        let counters = SensorSample(source: "throttling", value: .throttling(share: share))
        #expect(Rounds.settled(.temperature(sample), with: [counters]) == level)
    }

    @Test("a hardware monitor's alarm counts only at a high temperature")
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

    @Test("a processor's capped clock is only a hint, because the cap may have another cause")
    func cap() {
        #expect(Rounds.settled(.frequencyCap(kilohertz: 1_000_000, baseline: 2_000_000)) == .fair)
        #expect(Rounds.settled(.frequencyCap(kilohertz: 2_000_000, baseline: 2_000_000)) == .nominal)
    }

    /// Throttle reasons of a GPU, and the level and factor that they lead to.
    struct GPUCase: Sendable {
        let reasons: GPUClockReasons
        let level: PressureLevel
        let factor: PressureFactor
    }

    @Test(
        "a GPU's level follows its throttle reasons",
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
