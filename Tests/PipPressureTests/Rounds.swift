import PipFrames
import PipPressure

/// A pressure assessment that gets samples from a test, one a second unless the test sets another interval.
struct Rounds {
    var assessment = PressureAssessment()
    var now = Timestamp(nanoseconds: 1_000_000_000)

    /// Assesses a sample of one sensor, beside samples of others, and then advances the time by `after`.
    ///
    /// - Returns: The sensor's level; nominal without a reading of the sensor.
    mutating func feed(
        _ value: SensorValue?, from source: String = "sensor", with others: [SensorSample] = [],
        load: LoadSample = LoadSample(due: 30), after: Duration = .seconds(1)
    ) -> PressureLevel {
        let samples = others + (value.map { [SensorSample(source: source, value: $0)] } ?? [])
        let state = assessment.assess(samples, load: load, now: now)
        now = now.advanced(by: after)
        return state.readings.first { $0.source == source }?.level ?? .nominal
    }

    /// The level of one sensor after several equal samples.
    static func settled(
        _ value: SensorValue, with others: [SensorSample] = [], load: LoadSample = LoadSample(due: 30)
    )
        -> PressureLevel
    {
        var rounds = Self()
        var level = PressureLevel.nominal
        for _ in 0..<6 { level = rounds.feed(value, with: others, load: load) }
        return level
    }
}

extension SensorValue {
    /// The temperature of a thermal zone with the trips of a single-board computer: 80, 95 and 105 °C.
    static func zone(_ celsius: Double, passiveHysteresis: Double = 2) -> SensorValue {
        .temperature(
            TemperatureSample(
                celsius: celsius,
                limits: TemperatureLimits(
                    passive: .init(80, hysteresis: passiveHysteresis), hot: .init(95, hysteresis: 2),
                    critical: .init(105, hysteresis: 2))))
    }
}

/// A sampler of sensor files in memory, with simulated time.
struct Board {
    let files = FakeSensors()
    private var sampler: PressureSampler
    var now = Timestamp(nanoseconds: 1_000_000_000)

    init() { sampler = PressureSampler(files: files) }

    var isUnsure: Bool { sampler.isUnsure }

    /// Sets the thresholds of thermometers, as a policy does, keyed by the thermometer's name.
    mutating func use(_ thresholds: [String: LevelThresholds]) { sampler.use(thresholds) }

    /// Adds a chip with a thermometer for each label, all at one temperature.
    func addChip(_ name: String, labels: [String], celsius: Int) {
        let folder = "sys/class/hwmon/hwmon0"
        files.set("\(folder)/name", name)
        for (number, label) in labels.enumerated() {
            files.set("\(folder)/temp\(number + 1)_input", "\(celsius)000")
            files.set("\(folder)/temp\(number + 1)_label", label)
        }
    }

    mutating func sample(
        load: LoadSample = LoadSample(due: 30), after: Duration = .seconds(1)
    ) -> (state: PressureState, problems: [SensorProblem]) {
        let (state, problems) = sampler.sample(load: load, now: now)
        now = now.advanced(by: after)
        return (state, problems)
    }

    /// Takes one sample for each of `seconds` seconds of simulated time.
    ///
    /// - Returns: The levels in order, and all problems.
    mutating func sample(seconds: Int) -> (levels: [PressureLevel], problems: [SensorProblem]) {
        var levels: [PressureLevel] = []
        var problems: [SensorProblem] = []
        for _ in 0..<seconds {
            let (state, found) = sample()
            levels.append(state.level)
            problems += found
        }
        return (levels, problems)
    }
}
