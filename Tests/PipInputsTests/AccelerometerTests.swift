import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipInputs

@Suite("Accelerometers of a tree of sysfs, in virtual time")
struct AccelerometerTests {
    @Test("gravity is at rest, whatever the mounting; a blow is told in g, and a slope is at rest after a while")
    func gravity() {
        var filter = GravityFilter()
        var time = Timestamp.zero
        func next(_ reading: SIMD3<Double>) -> SIMD3<Double> {
            time = time.advanced(by: .milliseconds(10))
            return filter.take(reading, at: time)
        }
        let mounted = SIMD3(0.6, 0, 0.8)
        for _ in 0..<100 { #expect(next(mounted) == .zero) }
        for _ in 0..<3 { #expect(abs(next(mounted + [3, 0, 0]).x - 3) < 0.02) }
        for _ in 0..<200 { _ = next(mounted) }
        #expect(abs(next(mounted).x) < 0.02)
        let braking = (0..<100).map { _ in next(mounted + [0, -0.7, 0]).y }
        #expect(braking[0] < -0.69 && braking[99] < -0.55)
        for _ in 0..<3000 { _ = next(mounted + [0, -0.7, 0]) }
        #expect(abs(next(mounted + [0, -0.7, 0]).y) < 0.01)
    }

    @Test("raw numbers are read with offset and scale, 100 times a second")
    func reading() async throws {
        let tree = try AccelerometerTree()
        try tree.add(0, "lsm6dsl_gyro", axes: nil)
        try tree.add(1, "lsm6dsl_accel", axes: [0, 0, 16384])
        try await VirtualTime.run { clock, _ in
            let readings = Monitor<[SIMD3<Double>]>([], clock: clock)
            let reader = InputReader(.acceleration(sensor: nil), KernelInputs(root: tree.root), clock: clock) { event in
                guard case .reading(.acceleration(let reading), _) = event else { return }
                readings.update { $0.append(reading) }
            }
            try await clock.sleep(for: .seconds(1.005))
            #expect(readings.read { $0.count } == 100 && readings.read { $0.allSatisfy { $0 == .zero } })
            try tree.set(1, axes: [0, -32768, 16384])
            try await clock.sleep(for: .milliseconds(10))
            let blow = try #require(readings.read { $0.last })
            #expect(abs(blow.y + 2) < 0.01 && abs(blow.x) + abs(blow.z) < 0.001)
            reader.stop()
        }
    }

    @Test(
        "a sensor is found by its name, a part of it or its folder, and told while it is not there",
        arguments: [
            ("lid", nil), ("base-accel", nil), ("iio:device2", nil),
            ("roof", "no accelerometer is named roof; there are base-accel, LID-accel"),
        ] as [(String, String?)])
    func names(_ sensor: String, _ problem: String?) async throws {
        let tree = try AccelerometerTree()
        try tree.add(2, "base-accel", axes: [0, 0, 16384])
        try tree.add(3, "LID-accel", axes: [0, 0, 16384])
        try await VirtualTime.run { clock, _ in
            let events = Monitor<[InputEvent]>([], clock: clock)
            let reader = InputReader(.acceleration(sensor: sensor), KernelInputs(root: tree.root), clock: clock) {
                event in
                events.update { $0.append(event) }
            }
            try await clock.sleep(for: .seconds(3))
            let told = events.read { $0 }
            #expect(problem.map { told == [.missing(InputProblem($0))] } ?? (told.count > 290), "\(told.prefix(2))")
            reader.stop()
        }
    }

    @Test("a machine without an accelerometer, and one that gives no number, are told once")
    func absence() async throws {
        let tree = try AccelerometerTree()
        try await VirtualTime.run { clock, _ in
            let told = Monitor<[InputEvent]>([], clock: clock)
            let reader = InputReader(.acceleration(sensor: nil), KernelInputs(root: tree.root), clock: clock) { event in
                if case .reading = event { return }
                told.update { $0.append(event) }
            }
            try await clock.sleep(for: .seconds(5))
            try tree.add(0, "accel", axes: [0, 0, 16384])
            try await clock.sleep(for: .seconds(2))
            try tree.write("none  ", to: 0, "in_accel_y_raw")
            try await clock.sleep(for: .seconds(5))
            let folder = "\(tree.root)/sys/bus/iio/devices"
            #expect(
                told.read { $0 } == [
                    .missing(InputProblem("the machine has no accelerometer in \(folder)")), .back,
                    .missing(InputProblem("\(folder)/iio:device0/in_accel_y_raw: is no number")),
                ])
            reader.stop()
        }
    }
}
