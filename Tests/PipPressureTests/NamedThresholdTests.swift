import PipFrames
import Testing

@testable import PipPressure

@Suite("A policy's thresholds for a thermometer")
struct NamedThresholdTests {
    private static let own = LevelThresholds(fair: 50, serious: 60, critical: 70, shutdown: 80)

    @Test(
        "a policy's thresholds replace a thermometer's limits, under any of its names",
        arguments: ["thermal_zone0 (cpu-thermal)", "thermal_zone0", "cpu-thermal"],
        [
            (49.9, PressureLevel.nominal), (50, .fair), (60, .serious), (69.9, .serious), (70, .critical),
            (80, .shutdown),
        ])
    func levels(name: String, reading: (celsius: Double, level: PressureLevel)) {
        var board = Board()
        board.files.addZone(celsius: reading.celsius, trips: [.init(0, "passive", 90)])
        board.use([name: Self.own])
        #expect(board.sample(seconds: 4).levels.last == reading.level)
    }

    @Test("a reading names the policy's threshold, and its level ends three degrees below")
    func hysteresis() {
        var board = Board()
        board.files.addZone(celsius: 61, trips: [])
        board.use(["cpu-thermal": LevelThresholds(serious: 60)])
        _ = board.sample(seconds: 3)
        board.files.setZone(celsius: 57.5)
        let state = board.sample().state
        #expect(state.level == .serious)
        #expect(state.isKnown)
        #expect(state.readings.contains { $0.detail == "57.5 °C, serious from 60.0 °C by the policy" })
        board.files.setZone(celsius: 56.5)
        #expect(board.sample(seconds: 3).levels.last == .nominal)
    }

    @Test("a policy's thresholds count also for a processor that runs to its limit by design")
    func processor() {
        var board = Board()
        let trips = [FakeSensors.Trip(0, "critical", 100)]
        board.files.addZone(type: "x86_pkg_temp", celsius: 92, trips: trips)
        #expect(board.sample(seconds: 3).levels.last == .fair)
        board.use(["x86_pkg_temp": LevelThresholds(critical: 90)])
        #expect(board.sample(seconds: 3).levels.last == .critical)
        board.use([:])
        #expect(board.sample(seconds: 3).levels.last == .fair)
    }

    @Test("thresholds for a chip count for all of its thermometers, unless one has its own")
    func chip() {
        var board = Board()
        board.addChip("coretemp", labels: ["Package id 0", "Core 0"], celsius: 75)
        board.use(["coretemp": LevelThresholds(fair: 70), "coretemp Core 0": LevelThresholds(critical: 75)])
        for _ in 0..<3 { _ = board.sample() }
        let levels = board.sample().state.readings.filter { $0.source.contains("coretemp") }
        #expect(
            Dictionary(uniqueKeysWithValues: levels.map { ($0.source, $0.level) }) == [
                "hwmon0 temp1 (coretemp Package id 0)": .fair, "hwmon0 temp2 (coretemp Core 0)": .critical,
            ])
    }

    @Test("thresholds for an unknown name are reported once, with the known names")
    func unknown() {
        var board = Board()
        board.files.addZone(trips: [])
        board.use(["cpu-termal": Self.own, "thermal_zone0": Self.own])
        let problems = board.sample(seconds: 20).problems
        #expect(problems == [SensorProblem(source: "cpu-termal", kind: .unknown(["thermal_zone0 (cpu-thermal)"]))])
        #expect(
            problems.first?.description.contains("no thermometer has this name; known: thermal_zone0") == true)
    }

    @Test("with a policy's thresholds, a rise to the kernel's critical trip is still foreseen")
    func projection() {
        var board = Board()
        board.files.addZone(celsius: 80, trips: [.init(0, "critical", 105)])
        board.use(["cpu-thermal": LevelThresholds(serious: 80, shutdown: 120)])
        var levels: [PressureLevel] = []
        for second in 0...9 {
            board.files.setZone(celsius: 80 + 1.5 * Double(second))
            levels.append(board.sample().state.level)
        }
        #expect(levels.last == .shutdown)
    }

    @Test(
        "thresholds that are out of order, out of range or empty are refused",
        arguments: [
            (LevelThresholds(fair: 80, serious: 70), "serious begins at 70.0 °C, below fair at 80.0 °C"),
            (LevelThresholds(fair: 60, shutdown: 50), "shutdown begins at 50.0 °C, below fair"),
            (
                LevelThresholds(serious: 900),
                "serious is at 900.0 °C, but must be -20.0 °C to 125.0 °C"
            ),
            (LevelThresholds(serious: .nan), "serious is at nan °C"),
            (LevelThresholds(), "at least one threshold is needed"),
        ])
    func refused(thresholds: LevelThresholds, reason: String) {
        let error = #expect(throws: PressurePolicyError.self) {
            try PressurePolicy(steps: [], thresholds: ["cpu-thermal": thresholds])
        }
        let said = error?.description ?? ""
        #expect(said.hasPrefix("thresholds of cpu-thermal: \(reason)"), "\(said)")
    }
}
