import Foundation
import PipCompose
import PipConcurrency
import PipInputs
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Faults of triggers beside a running composition, in virtual time", .timeLimit(.minutes(2)))
struct TriggerFaultTests {
    private static let text = """
        canvas: {size: 64x48, fps: 30}
        cameras:
          road: {source: pattern:bars, size: 64x48, fps: 30}
          driver: {source: pattern:scene, size: 64x48, fps: 30}
        scenes: {drive: {main: road}, talk: {main: driver}}
        outputs: ["null:"]
        """

    /// The reports of a composition's triggers, with their times.
    private final class Outcome: Sendable {
        let reports = Monitor<[(report: TriggerWatch.Report, time: Timestamp)]>([])

        /// The time from a moment to a report of a kind; nil without one.
        func delay(from start: Timestamp, _ isWanted: (TriggerWatch.Report) -> Bool) -> Double? {
            reports.read { $0 }.first { $0.time >= start && isWanted($0.report) }.map {
                start.duration(to: $0.time).inSeconds
            }
        }

        func count(_ isWanted: (TriggerWatch.Report) -> Bool) -> Int {
            reports.read { $0.count { isWanted($0.report) } }
        }
    }

    /// Runs a composition with a trigger that marks moments; none of its frames may be missed.
    ///
    /// - Returns: The number of marked moments.
    private func running(
        _ trigger: String, _ devices: FakeInputs,
        _ body: @Sendable @escaping (Outcome, MonotonicClock) async throws -> Void
    ) async throws -> Int {
        try await VirtualTime.run { clock, pool in
            var rig = try RigFile(Self.text, path: "rig.yaml").rig
            rig.triggers = [try TriggerArgument(trigger)]
            var options = SessionOptions()
            options.time = clock
            options.pressure.policy = .off
            let live = try await LiveRig(rig, options: options)
            let outcome = Outcome()
            let watch = TriggerWatch(live, clock: clock, devices: devices) { report in
                outcome.reports.update { $0.append((report, clock.now)) }
            }
            let watching = Task(executorPreference: pool) { await watch.run() }
            async let marked = live.session.events.reduce(into: 0) { count, event in
                if case .marked = event { count += 1 }
            }
            async let run: Void = live.session.run()
            // Arms the triggers.
            await watch.take(line: "")
            try await clock.sleep(for: .seconds(3))
            try await body(outcome, clock)
            live.session.stop()
            try await run
            #expect(live.session.statistics.output.missed == 0)
            watching.cancel()
            await watching.value
            return await marked
        }
    }

    private static func isMissing(_ report: TriggerWatch.Report) -> Bool {
        if case .missing = report { true } else { false }
    }

    private static func isBack(_ report: TriggerWatch.Report) -> Bool {
        if case .back = report { true } else { false }
    }

    /// A device of a trigger, as a test handles it.
    private struct Device: Sendable {
        let devices: FakeInputs
        let take: @Sendable () throws -> Void
        let bring: @Sendable () throws -> Void
        /// Starts the trigger at a time.
        let start: @Sendable (Timestamp) throws -> Void
    }

    /// Takes a trigger's device away for five seconds, and starts the trigger afterwards.
    private func away(_ trigger: String, row: Int, _ device: Device) async throws {
        let marked = try await running(trigger, device.devices) { outcome, clock in
            #expect(outcome.count { _ in true } == 0, "\(outcome.reports.read { $0 })")
            let gone = clock.now
            try device.take()
            try await clock.sleep(for: .seconds(5))
            let noticed = try #require(outcome.delay(from: gone, Self.isMissing))
            #expect(noticed <= 1.1 && outcome.count(Self.isMissing) == 1, "\(outcome.reports.read { $0 })")
            let there = clock.now
            try device.bring()
            try await clock.sleep(for: .seconds(3))
            let back = try #require(outcome.delay(from: there, Self.isBack))
            #expect(back <= 1.1 && outcome.count(Self.isBack) == 1)
            try device.start(clock.now)
            try await clock.sleep(for: .seconds(1))
            let figures =
                "told after \(Int(noticed * 1000)) ms, read again after \(Int(back * 1000)) ms; no frame missed"
            FaultReport.record(row: row, figures: figures, on: .fake)
        }
        #expect(marked == 1)
    }

    @Test("row 75: a GPIO chip that goes is told within a second, and its line is read again once it is back")
    func chip() async throws {
        let devices = FakeInputs()
        let path = "/dev/gpiochip0"
        devices.add(chip: path, label: "pinctrl", lines: 54)
        let device = Device(devices: devices) {
            devices.unplug(path)
        } bring: {
            devices.add(chip: path, label: "pinctrl", lines: 54)
        } start: { time in
            devices.setLine(active: true, of: path, at: time)
        }
        try await away("gpio:pinctrl:17", row: 75, device)
    }

    @Test("row 76: keys that are unplugged are told within a second, and are read again from another node")
    func keys() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event3", "FootSwitch", ["KEY_B"])
        let device = Device(devices: devices) {
            devices.unplug("/dev/input/event3")
        } bring: {
            devices.plug("/dev/input/event5", "FootSwitch", ["KEY_B"])
        } start: { time in
            devices.send(1, of: "KEY_B", to: "/dev/input/event5", at: time)
        }
        try await away("key:FootSwitch:b", row: 76, device)
    }

    @Test("row 77: an accelerometer that goes is told within a second, and is read again once it is back")
    func accelerometer() async throws {
        let tree = try AccelerometerTree()
        try tree.add(0, "adxl345", axes: [0, 0, 16384])
        let device = Device(devices: FakeInputs(root: tree.root)) {
            // Open files of a real sensor that is gone fail; those of this folder have no number any more. The folder
            // goes first, because the reader may look at any moment.
            let gone = "\(tree.root)/gone"
            try FileManager.default.moveItem(atPath: "\(tree.root)/sys/bus/iio/devices/iio:device0", toPath: gone)
            try Data("gone\n".utf8).write(to: URL(filePath: "\(gone)/in_accel_x_raw"))
        } bring: {
            try tree.add(0, "adxl345", axes: [0, 0, 16384])
        } start: { _ in
            try tree.set(0, axes: [0, 52000, 16384])
        }
        try await away("blow>2g", row: 77, device)
    }

    @Test("row 80: a key that is pressed a thousand times a second starts its actions once a second")
    func flood() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event3", "FootSwitch", ["KEY_B"])
        let marked = try await running("key:FootSwitch:b", devices) { outcome, clock in
            for _ in 0..<10_000 {
                devices.send(1, of: "KEY_B", to: "/dev/input/event3", at: clock.now)
                try await clock.sleep(for: .milliseconds(1))
            }
            try await clock.sleep(for: .seconds(1))
            #expect(outcome.count { _ in true } == 0, "\(outcome.reports.read { $0 })")
            #expect(!devices.isPending(in: "/dev/input/event3"))
        }
        #expect(marked == 10)
        FaultReport.record(row: 80, figures: "10,000 presses in 10 s: \(marked) firings; no frame missed", on: .fake)
    }
}
