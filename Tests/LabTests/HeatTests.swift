import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipPressure

extension CameraLab {
    /// Tests with a thermal zone of the kernel, which is passive from 80 °C, hot from 95 °C and critical from 105 °C.
    ///
    /// Each threshold has a hysteresis of 2 °C.
    @Suite("The machine's heat")
    struct HeatTests {
        @Test("row 68: is told as the level that the zone's trips make of it, up and down")
        func levels() async throws {
            try await Zone.with { zone in
                var levels: [PressureLevel] = []
                for celsius in [60, 75, 85, 96, 101, 98, 90, 75, 65] {
                    // The samples last longer than the time for which a sudden change counts as a sensor error.
                    for _ in 0..<5 { _ = try zone.sample(celsius: celsius) }
                    levels.append(try zone.sample(celsius: celsius).state.level)
                }
                #expect(
                    levels == [
                        .nominal, .fair, .serious, .critical, .shutdown, .shutdown, .serious, .fair, .nominal,
                    ])
            }
        }

        @Test("row 69: keeps its level for a minute when the zone cannot be read any more, and is told once")
        func unreadable() async throws {
            try await Zone.with { zone in
                for _ in 0..<3 { _ = try zone.sample(celsius: 85) }
                try zone.write("error")
                var problems: [SensorProblem] = []
                for second in 0..<90 {
                    let (state, found) = zone.sample()
                    problems += found
                    #expect(state.level == (second < 60 ? .serious : .nominal))
                }
                #expect(problems == [SensorProblem(source: zone.name, kind: .unreadable(.noData))])
                #expect(try zone.sample(celsius: 96).state.level == .critical)
            }
        }

        @Test("row 69: keeps its level for a minute when the zone is gone")
        func gone() async throws {
            var zone = Zone()
            try await withModule("pip_thermal", ["type=cpu-thermal"]) {
                for _ in 0..<3 { _ = try zone.sample(celsius: 85) }
            }
            let (state, problems) = zone.sample()
            #expect(state.level == .serious)
            #expect(problems == [SensorProblem(source: zone.name, kind: .vanished)])
        }

        @Test("wakes the monitor by the kernel's event when a trip is crossed")
        func event() async throws {
            try await withModule("pip_thermal", ["type=cpu-thermal"]) {
                let record = Monitor<[PressureState]>([])
                let monitor = PressureMonitor {
                    LoadSample()
                } onState: { state, _, _ in
                    record.update { $0.append(state) }
                }
                let until = MonotonicClock().now.advanced(by: .seconds(30))
                monitor.start()
                defer { monitor.stop() }
                // The subscription to events comes before the first sample.
                try #require(record.wait(until: until) { $0.isEmpty ? nil : true } != nil)
                #expect(monitor.wakes.thermal == 0)
                try Zone().write("82000")
                let state = record.wait(until: until) { states in
                    monitor.wakes.thermal > 0 ? states.first { $0.level == .serious } : nil
                }
                #expect(state?.harm == .serious)
                #expect(monitor.wakes.thermal > 0)
            }
        }

        @Test("row 70: is looked at anew when more events came than the kernel keeps")
        func overrun() async throws {
            try await withModule("pip_thermal", ["type=cpu-thermal"]) {
                let events = try #require(ThermalEvents())
                for _ in 0..<1000 {
                    try Zone().write("82000")
                    try Zone().write("60000")
                }
                var wakes: [EarlyWake?] = []
                // Reads, at most 50 times, until all messages that the kernel sent after the loss have been read.
                while wakes.count < 50, wakes.last != .some(nil) { wakes.append(try events.take(Int32(POLLIN))) }
                #expect(wakes.contains(.changedSensors))
                #expect(wakes.last == .some(nil))
                FaultReport.record(row: 70, figures: "2000 events unread: \(wakes.count) readings until all was quiet")
                try Zone().write("82000")
                #expect(try events.take(Int32(POLLIN)) == .thermal)
            }
        }
    }
}

/// The guest's thermal zone, and a sampler whose clock advances a second for each sample.
private struct Zone {
    let name = "thermal_zone0 (cpu-thermal)"
    private var sampler = PressureSampler()
    private var now = Timestamp(nanoseconds: 1_000_000_000)

    static func with(_ body: (inout Zone) throws -> Void) async throws {
        try await withModule("pip_thermal", ["type=cpu-thermal"]) {
            var zone = Zone()
            try body(&zone)
        }
    }

    /// Sets the temperature in thousandths of a degree Celsius; the text `error` makes readings fail.
    func write(_ text: String) throws {
        try text.write(
            toFile: "/sys/module/pip_thermal/parameters/temperature", atomically: false, encoding: .utf8)
    }

    mutating func sample() -> (state: PressureState, problems: [SensorProblem]) {
        defer { now = now.advanced(by: .seconds(1)) }
        let (state, problems) = sampler.sample(load: LoadSample(), now: now)
        return (PressureState(readings: state.readings.filter { !$0.factor.isLoad }, isKnown: true), problems)
    }

    mutating func sample(celsius: Int) throws -> (state: PressureState, problems: [SensorProblem]) {
        try write("\(celsius * 1000)")
        return sample()
    }
}
