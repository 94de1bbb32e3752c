import PipFrames
import PipPressure
import PipTestSupport
import Testing

@Suite("Power as a level")
struct PowerLevelTests {
    @Test(
        "the level follows the remaining charge of a discharging battery",
        arguments: [
            (20.5, PressureLevel.nominal), (20, .fair), (11, .fair), (10, .serious), (6, .serious), (5, .critical),
            (3, .critical), (2, .shutdown), (0, .shutdown),
        ])
    func battery(percent: Double, level: PressureLevel) {
        #expect(Rounds.settled(.battery(percent: percent, isDischarging: true)) == level)
        #expect(Rounds.settled(.battery(percent: percent, isDischarging: false)) == .nominal)
    }

    @Test("the level is fair for a minute after one under-voltage")
    func once() {
        var rounds = Rounds()
        _ = rounds.feed(.underVoltage(true))
        let levels = (1...62).map { _ in rounds.feed(.underVoltage(false)) }
        #expect(levels.prefix(60).allSatisfy { $0 == .fair })
        #expect(levels.last == .nominal)
    }

    @Test("the reason tells how often the voltage was too low", arguments: [(1, "once"), (2, "2 times")])
    func reason(count: Int, words: String) {
        var assessment = PressureAssessment()
        var state = PressureState()
        for second in 0..<2 * count {
            let sample = SensorSample(source: "supply", value: .underVoltage(second.isMultiple(of: 2)))
            state = assessment.assess(
                [sample], load: LoadSample(due: 30), now: Timestamp(nanoseconds: Int64(second + 1) * 1_000_000_000))
        }
        #expect(state.readings.contains { $0.detail == "under-voltage \(words) in the last minute" })
    }

    @Test("the level is serious from the third under-voltage within a minute")
    func several() {
        var rounds = Rounds()
        let levels = (0..<8).map { rounds.feed(.underVoltage($0.isMultiple(of: 2))) }
        #expect(levels[3] == .fair)
        #expect(levels[5...].allSatisfy { $0 == .serious })
    }

    @Test("the level is critical once the voltage has been low for ten seconds")
    func continuous() {
        var rounds = Rounds()
        let levels = (0...10).map { _ in rounds.feed(.underVoltage(true)) }
        #expect(levels.dropLast().max() == .fair)
        #expect(levels.last == .critical)
    }

    @Test("row 71: an under-voltage flag that toggles is one steady level of peak power, not one per change")
    func toggling() {
        var rounds = Rounds()
        var levels: [PressureLevel] = []
        for round in 0..<120 {
            levels.append(rounds.feed(.underVoltage(round.isMultiple(of: 2)), after: .milliseconds(250)))
        }
        let changes = zip(levels, levels.dropFirst()).filter { $0 != $1 }.count
        #expect(changes == 2)
        #expect(levels.last == .serious)
        FaultReport.record(row: 71, figures: "60 changes in 30 s: \(changes) changes of the level", on: .fake)
    }

    private func firmware(_ flags: FirmwareFlags, celsius: Double, seconds: Int, rise: Double = 0) -> [PressureReading]
    {
        var assessment = PressureAssessment()
        return (0..<seconds).map { second in
            let zone = SensorSample(
                source: "zone", value: .temperature(TemperatureSample(celsius: celsius + rise * Double(second))))
            let sample = SensorSample(source: "firmware", value: .firmware(flags))
            let now = Timestamp(nanoseconds: Int64(second + 1) * 1_000_000_000)
            let state = assessment.assess([zone, sample], load: LoadSample(due: 30), now: now)
            return state.readings.first { $0.source == "firmware" }
                ?? PressureReading(source: "none", factor: .ioPressure, level: .nominal, detail: "")
        }
    }

    @Test("a Raspberry Pi's soft limit counts together with the temperature")
    func softLimit() {
        #expect(firmware(.softTemperatureLimit, celsius: 81.9, seconds: 3).last?.level == .serious)
        #expect(firmware(.softTemperatureLimit, celsius: 82, seconds: 3).last?.level == .critical)
        #expect(firmware(.softTemperatureLimit, celsius: 86, seconds: 15).last?.level == .critical)
        #expect(firmware(.softTemperatureLimit, celsius: 84, seconds: 15, rise: 0.1).last?.level == .shutdown)
        #expect(firmware(.softTemperatureLimit, celsius: 80, seconds: 15, rise: 0.1).last?.level == .serious)
    }

    @Test("either throttling flag of a Raspberry Pi counts as heat, and is critical after half a minute")
    func throttled() {
        for flags in [FirmwareFlags.throttled, .frequencyCapped] {
            let readings = firmware(flags, celsius: 60, seconds: 33)
            #expect(readings[1].level == .serious)
            #expect(readings[30].level == .serious)
            #expect(readings[31].level == .critical)
            #expect(readings[31].factor == .systemTemperature)
        }
    }

    @Test("throttling at low voltage counts as a lack of power")
    func throttledByVoltage() {
        let readings = firmware([.underVoltage, .throttled], celsius: 60, seconds: 5)
        #expect(readings.last?.factor == .peakPower)
        #expect(readings.last?.level == .fair)
    }

    @Test("flags for the time since the board started are ignored")
    func past() { #expect(firmware(FirmwareFlags(rawValue: 0xF0000), celsius: 60, seconds: 3).last?.level == .nominal) }
}
