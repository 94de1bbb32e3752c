import PipCompose
import PipConcurrency
import PipInputs
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Devices of triggers, in virtual time")
struct TriggerInputsTests {
    /// The firings and reports of triggers.
    private final class Outcome: Sendable {
        let reports = Monitor<[TriggerWatch.Report]>([])
        let firings = Monitor<[String]>([])

        /// The texts of the firings since the last call: the trigger's name and the reason.
        func take() -> [String] {
            firings.update { firings in
                defer { firings = [] }
                return firings
            }
        }
    }

    /// Runs a test with the devices of triggers.
    private func following(
        _ triggers: [String], _ devices: FakeInputs,
        _ body: (inout TriggerInputs, Outcome, MonotonicClock) async throws -> Void
    ) async throws {
        try await VirtualTime.run { clock, pool in
            let outcome = Outcome()
            var inputs = TriggerInputs(devices, clock: clock) { report in outcome.reports.update { $0.append(report) } }
            let firings = inputs.firings
            let task = Task(executorPreference: pool) {
                for await firing in firings {
                    outcome.firings.update { $0.append("\(firing.trigger.name): \(firing.reason)") }
                }
            }
            defer { task.cancel() }
            inputs.follow(try triggers.map { try TriggerArgument($0) })
            try await clock.sleep(for: .milliseconds(1))
            try await body(&inputs, outcome, clock)
            inputs.follow([])
            try await clock.sleep(for: .milliseconds(1))
        }
    }

    private static let pedal = "/dev/input/event3"

    private static func withPedal() -> FakeInputs {
        let devices = FakeInputs()
        devices.plug(pedal, "FootSwitch", ["KEY_A", "KEY_B"])
        devices.add(chip: "/dev/gpiochip0", label: "pinctrl", lines: 54)
        return devices
    }

    @Test("triggers share a device that has one reader; each fires at its own key or edge")
    func shared() async throws {
        let devices = Self.withPedal()
        let triggers = [
            "key:FootSwitch:a,name=left", "key:FootSwitch:b,name=right,grab=on", "key:FootSwitch:b,do=split,name=too",
            "gpio:gpiochip0:17,name=up", "gpio:gpiochip0:17,edge=falling,name=down",
        ]
        try await following(triggers, devices) { _, outcome, clock in
            #expect(devices.readers(of: Self.pedal) == 1 && devices.isGrabbed(Self.pedal))
            #expect(devices.readers(of: "/dev/gpiochip0") == 1)
            devices.send(1, of: "KEY_A", to: Self.pedal, at: clock.now)
            try await clock.sleep(for: .milliseconds(10))
            #expect(outcome.take() == ["left: KEY_A"])
            devices.send(1, of: "KEY_B", to: Self.pedal, at: clock.now)
            try await clock.sleep(for: .milliseconds(10))
            #expect(outcome.take() == ["right: KEY_B", "too: KEY_B"])
            devices.setLine(active: true, of: "/dev/gpiochip0", at: clock.now)
            try await clock.sleep(for: .milliseconds(10))
            #expect(outcome.take() == ["up: gpiochip0, line 17"])
            devices.setLine(active: false, of: "/dev/gpiochip0", at: clock.now)
            try await clock.sleep(for: .milliseconds(10))
            #expect(outcome.take() == ["down: gpiochip0, line 17"])
        }
        #expect(devices.readers(of: Self.pedal) == 0)
    }

    @Test("a device that presses a thousand times a second fires as often as the trigger's distance allows")
    func flood() async throws {
        let devices = Self.withPedal()
        try await following(["key:FootSwitch:b,every=2s"], devices) { _, outcome, clock in
            for _ in 0..<10_000 {
                devices.send(1, of: "KEY_B", to: Self.pedal, at: clock.now)
                try await clock.sleep(for: .milliseconds(1))
            }
            #expect(outcome.take().count == 5)
            try await clock.sleep(for: .milliseconds(10))
            #expect(!devices.isPending(in: Self.pedal))
        }
    }

    @Test("a change of the triggers keeps the readers of others, and replaces that of a changed device")
    func changes() async throws {
        let devices = Self.withPedal()
        try await following(["key:FootSwitch:a", "gpio:gpiochip0:17"], devices) { inputs, outcome, clock in
            inputs.follow([try TriggerArgument("key:FootSwitch:a"), try TriggerArgument("key:FootSwitch:b")])
            try await clock.sleep(for: .milliseconds(10))
            #expect(devices.readers(of: Self.pedal) == 1 && devices.readers(of: "/dev/gpiochip0") == 0)
            devices.send(1, of: "KEY_B", to: Self.pedal, at: clock.now)
            try await clock.sleep(for: .milliseconds(10))
            #expect(outcome.take() == ["key: KEY_B"])
            #expect(outcome.reports.read { $0.isEmpty })
        }
    }

    @Test("a device that is not there is told with the names of its triggers, and again when it is back")
    func absence() async throws {
        let devices = FakeInputs()
        try await following(["key:FootSwitch:b,name=bell"], devices) { _, outcome, clock in
            try await clock.sleep(for: .seconds(10))
            devices.plug(Self.pedal, "FootSwitch", ["KEY_B"])
            try await clock.sleep(for: .seconds(2))
            #expect(
                outcome.reports.read { $0 } == [
                    .missing("bell: no input device is named FootSwitch; tried again every second"),
                    .back("bell: ready"),
                ])
        }
    }

    @Test("a blow fires once while it lasts, a shorter one than asked for does not, and braking fires along its axis")
    func blows() async throws {
        let tree = try AccelerometerTree()
        try tree.add(0, "accel", axes: [0, 0, 16384])
        let triggers = ["blow>2g", "blow>0.5g,axis=-x,for=300ms,name=brake"]
        try await following(triggers, FakeInputs(root: tree.root)) { _, outcome, clock in
            try await clock.sleep(for: .seconds(1))
            for _ in 0..<2 {
                for axes in [[0, 52000, 16384], [0, -52000, 16384], [0, 30000, 16384]] {
                    try tree.set(0, axes: axes)
                    try await clock.sleep(for: .milliseconds(20))
                }
                try tree.set(0, axes: [0, 0, 16384])
                try await clock.sleep(for: .seconds(5))
                #expect(outcome.take() == ["blow: 3.2 g"])
            }
            try tree.set(0, axes: [-12000, 0, 16384])
            try await clock.sleep(for: .milliseconds(200))
            try tree.set(0, axes: [0, 0, 16384])
            try await clock.sleep(for: .seconds(5))
            #expect(outcome.take() == [])
            try tree.set(0, axes: [-12000, 0, 16384])
            try await clock.sleep(for: .milliseconds(500))
            #expect(outcome.take() == ["brake: 0.7 g"])
        }
    }
}
