import PipCompose
import PipConcurrency
import PipInputs
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Triggers by devices and lines of a running composition", .timeLimit(.minutes(2)))
struct TriggerDeviceTests {
    private static let text = """
        canvas: {size: 64x48, fps: 30}
        cameras:
          road: {source: pattern:bars, size: 64x48, fps: 30}
          driver: {source: pattern:scene, size: 64x48, fps: 30}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-left, width: 50%}]}
          talk: {main: driver, insets: [{of: road, at: bottom-right, width: 25%}]}
        outputs: ["null:"]
        """

    /// A running composition with its triggers.
    private struct Running: Sendable {
        let live: LiveRig
        let devices: FakeInputs
        let lines: AsyncStream<String>.Continuation
        let begun: Monitor<Int>
        let reports: Monitor<[TriggerWatch.Report]>
    }

    private func running(_ body: @Sendable @escaping (Running) async throws -> Void) async throws {
        var options = SessionOptions()
        options.pressure.policy = .off
        let live = try await LiveRig(try RigFile(Self.text, path: "rig.yaml").rig, options: options)
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let running = Running(
            live: live, devices: FakeInputs(), lines: continuation, begun: Monitor(0), reports: Monitor([]))
        let watch = TriggerWatch(
            live, devices: running.devices,
            lines: {
                running.begun.update { $0 += 1 }
                return lines
            }, tell: { report in running.reports.update { $0.append(report) } })
        async let run: Void = live.session.run()
        let watching = Task { await watch.run() }
        defer { watching.cancel() }
        do { try await body(running) } catch {
            live.session.stop()
            throw error
        }
        live.session.stop()
        try await run
    }

    private func set(_ triggers: [String], _ live: LiveRig) async throws {
        let triggers = try triggers.map { try TriggerArgument($0) }
        try await live.change { rig in rig.triggers = triggers }
    }

    @Test("lines are heard once a change of the configuration has a trigger that waits for one, and read once")
    func lines() async throws {
        try await running { running in
            #expect(running.begun.read { $0 } == 0)
            try await set(["line,do=scene:talk"], running.live)
            #expect(await becomes { running.begun.read { $0 } == 1 })
            running.lines.yield("go")
            #expect(await becomes { running.live.rig.scene == "talk" })
            try await set(["line,do=scene:drive,every=100ms"], running.live)
            // The new trigger may not be armed when the first lines come.
            #expect(
                await becomes {
                    running.lines.yield("back")
                    return running.live.rig.scene == "drive"
                })
            #expect(running.begun.read { $0 } == 1)
        }
    }

    @Test("a key of a device that is plugged in while the composition runs shows a scene")
    func key() async throws {
        try await running { running in
            try await set(["key:pedal:f13,do=scene:talk,name=foot"], running.live)
            let absence = "foot: no input device is named pedal; tried again every second"
            #expect(await becomes { running.reports.read { $0 == [.missing(absence)] } })
            running.devices.plug("/dev/input/event5", "pedal", ["KEY_F13"])
            #expect(await becomes { running.reports.read { $0.last == .back("foot: ready") } })
            running.devices.send(1, of: "KEY_F13", to: "/dev/input/event5", at: MonotonicClock().now)
            #expect(await becomes { running.live.rig.scene == "talk" })
            #expect(
                await becomes { running.reports.read { $0.last == .done("foot (KEY_F13): the scene talk is shown") } })
            try await set([], running.live)
            #expect(await becomes { running.devices.readers(of: "/dev/input/event5") == 0 })
        }
    }
}
