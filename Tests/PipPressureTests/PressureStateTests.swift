import PipPressure
import Testing

@Suite("Overall pressure")
struct PressureStateTests {
    private let hot = PressureReading(source: "zone", factor: .systemTemperature, level: .serious, detail: "82 °C")
    private let warm = PressureReading(source: "hwmon", factor: .systemTemperature, level: .fair, detail: "70 °C")
    private let busy = PressureReading(source: "deadlines", factor: .cpuPressure, level: .critical, detail: "50 % late")
    private let calm = PressureReading(source: "battery", factor: .batteryStress, level: .nominal, detail: "90 %")

    @Test("pressure is the worst of all readings, and each factor is the worst of its own readings")
    func worst() {
        let state = PressureState(readings: [calm, warm, busy, hot], isKnown: true)
        #expect(state.level == .critical)
        #expect(state.factors == [.cpuPressure: .critical, .systemTemperature: .serious])
        #expect(state.readings.first == busy)
    }

    @Test("harm is the worst level of all factors other than load")
    func harm() {
        #expect(PressureState(readings: [hot, busy]).harm == .serious)
        #expect(PressureState(readings: [busy]).harm == .nominal)
    }

    @Test("pressure is nominal where nothing can be read")
    func unknown() {
        let state = PressureState()
        #expect(state.level == .nominal)
        #expect(!state.isKnown)
    }

    @Test("a level is found by its name", arguments: PressureLevel.allCases)
    func names(level: PressureLevel) {
        #expect(PressureLevel(name: level.name) == level)
        #expect(PressureLevel(name: level.name.uppercased()) == nil)
    }
}
