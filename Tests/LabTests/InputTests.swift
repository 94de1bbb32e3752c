import CPlatform
import Foundation
import PipCompose
import PipConcurrency
import PipInputs
import PipTestSupport
import Testing

@testable import PipRig

extension CameraLab {
    /// Tests with the kernel's own drivers: uinput, gpio-sim and vivid.
    ///
    /// Work takes no virtual time, so the times are those of the drivers and of this program's waits.
    @Suite("Keys, lines and motion that start triggers", .inVirtualTime)
    struct InputTests {
        private static let text = """
            canvas: {size: 64x48, fps: 30}
            cameras: {road: {source: pattern:bars, size: 64x48, fps: 30}}
            outputs: ["null:"]
            """

        /// The marked moments and the reports of a running composition.
        private final class Outcome: Sendable {
            let moments = Monitor<[(moment: Moment, told: Timestamp)]>([])
            let reports = Monitor<[TriggerWatch.Report]>([])

            /// Waits for a number of moments.
            func moments(_ count: Int) async -> [(moment: Moment, told: Timestamp)] {
                _ = await becomes { moments.read { $0.count >= count } }
                return moments.read { $0 }
            }

            /// Waits for a report.
            func expect(_ report: TriggerWatch.Report) async {
                #expect(await becomes { reports.read { $0.last == report } }, "\(reports.read { $0 })")
            }
        }

        /// Runs a composition with triggers, which mark moments.
        private func running(
            _ triggers: [String], in text: String = text, _ body: (Outcome) async throws -> Void
        ) async throws {
            var rig = try RigFile(text, path: "rig.yaml").rig
            rig.triggers = try triggers.map { try TriggerArgument($0) }
            let live = try await LiveRig(rig, options: .ungoverned)
            let outcome = Outcome()
            let watch = TriggerWatch(live) { report in outcome.reports.update { $0.append(report) } }
            async let run: Void = live.session.run()
            let tasks = [
                Task { await watch.run() },
                Task {
                    for await case .marked(let moment, _) in live.session.events {
                        outcome.moments.update { $0.append((moment, MonotonicClock().now)) }
                    }
                },
            ]
            defer { for task in tasks { task.cancel() } }
            _ = await becomes { live.session.statistics.output.frames > 3 }
            do { try await body(outcome) } catch {
                live.session.stop()
                throw error
            }
            live.session.stop()
            try await run
        }

        /// Checks that a moment is that of a cause, and was told within two frames of it.
        private func expect(
            _ marked: (moment: Moment, told: Timestamp), _ text: String, within begun: Timestamp
        ) {
            let frame = FrameRate(30).interval
            #expect("\(marked.moment)" == text)
            #expect(begun.duration(to: marked.moment.time) >= .milliseconds(-1))
            #expect(begun.duration(to: marked.moment.time) < frame)
            #expect(begun.duration(to: marked.told) < frame * 2, "\(begun.duration(to: marked.told))")
        }

        @Test("a key is heard within two frames, from a device that comes, goes and comes back")
        func pedal() async throws {
            try await withModule("uinput") {
                try await running(["key:pip pedal:KEY_F13,name=foot"]) { outcome in
                    for round in 1...2 {
                        _ = await becomes { outcome.reports.read { $0.count == round * 2 - 1 } }
                        let driver = try KeyboardDriver("A pip pedal", keys: [30, 183])
                        await outcome.expect(.back("foot: ready"))
                        let begun = MonotonicClock().now
                        driver.press(30)
                        driver.press(183)
                        let moments = await outcome.moments(round)
                        #expect(moments.count == round)
                        guard let last = moments.last else { return }
                        expect(last, "foot (KEY_F13)", within: begun)
                        driver.remove()
                    }
                    await outcome.expect(
                        .missing("foot: no input device is named pip pedal; tried again every second"))
                }
            }
        }

        @Test("a picture that begins to move is told within two frames of the picture that shows it")
        func motion() async throws {
            try await Vivid.withWebcams(1) { nodes in
                try nodes[0].set("horizontal_movement", to: 3)
                let text = """
                    canvas: {size: 320x180, fps: 30}
                    cameras: {road: {source: \(nodes[0].path), size: 640x360, fps: 30}}
                    outputs: ["null:"]
                    """
                try await running(["motion:road>0.01"], in: text) { outcome in
                    try await Task.sleep(for: .seconds(1))
                    #expect(outcome.moments.read { $0.isEmpty })
                    let begun = MonotonicClock().now
                    try nodes[0].set("horizontal_movement", to: 6)
                    let moments = await outcome.moments(1)
                    let told = begun.duration(to: try #require(moments.first).told)
                    // The camera's next picture shows the motion up to a frame later.
                    #expect(told < FrameRate(30).interval * 3, "\(told)")
                    print("motion: told after \(told)")
                }
            }
        }

        @Test("a device that presses a thousand times a second marks as often as the trigger's distance allows")
        func flood() async throws {
            try await withModule("uinput") {
                let driver = try KeyboardDriver("pedal", keys: [183])
                defer { driver.remove() }
                try await running(["key:pedal:KEY_F13,every=500ms"]) { outcome in
                    try await Task.sleep(for: .milliseconds(1500))
                    for _ in 0..<2000 {
                        driver.press(183)
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    try await Task.sleep(for: .milliseconds(100))
                    // A sleep in the guest lasts up to a tick longer.
                    #expect((4...9).contains(outcome.moments.read { $0.count }))
                    let moments = outcome.moments.read { $0.map(\.moment.time) }
                    let distances = zip(moments, moments.dropFirst()).map { $0.duration(to: $1) }
                    #expect(distances.allSatisfy { (.milliseconds(500)...(.milliseconds(510))).contains($0) })
                }
            }
        }

        @Test("a device is taken from other programs only if the trigger says so")
        func exclusive() async throws {
            try await withModule("uinput") {
                let driver = try KeyboardDriver("pedal", keys: [183])
                defer { driver.remove() }
                let path = try #require(KernelInputs().keyDevices().first { $0.name == "pedal" }?.path)
                for (option, error) in [("", 0), (",grab=on", -EBUSY)] as [(String, CInt)] {
                    try await running(["key:\(path):KEY_F13\(option)"]) { outcome in
                        driver.press(183)
                        _ = await outcome.moments(1)
                        let other = try KernelInputs().open(path)
                        #expect(pip_keys_grab(other.number) == error)
                    }
                }
            }
        }

        @Test("a line is heard within two frames, from a chip that goes and comes back; a line in use is told")
        func line() async throws {
            try await LineSimulator.with(label: "pip-lines") { chip in
                try await running(["gpio:pip-lines:3,name=door"]) { outcome in
                    for round in 1...2 {
                        try await Task.sleep(for: .milliseconds(200))
                        let begun = MonotonicClock().now
                        try chip.pull(3, up: true)
                        let moments = await outcome.moments(round)
                        #expect(moments.count == round)
                        guard let last = moments.last else { return }
                        expect(last, "door (pip-lines, line 3)", within: begun)
                        if round == 2 { break }
                        try chip.unplug()
                        await outcome.expect(
                            .missing("door: no GPIO chip is named pip-lines; tried again every second"))
                        try chip.plug()
                        await outcome.expect(.back("door: ready"))
                    }
                    let other = InputRequest.line(LineRequest(chip: "pip-lines", number: 3))
                    let told = Monitor<[InputEvent]>([])
                    let reader = InputReader(other, KernelInputs()) { event in told.update { $0.append(event) } }
                    #expect(await becomes { told.read { !$0.isEmpty } })
                    let path = try #require(KernelInputs().chips().last)
                    #expect(
                        told.read { $0 } == [.missing(InputProblem("\(path), line 3: in use by pip-compose"))])
                    reader.stop()
                }
            }
        }

        @Test("a low line is active if the trigger says so, and the kernel's filter leaves out what is too short")
        func filter() async throws {
            try await LineSimulator.with(label: "pip-lines") { chip in
                let trigger = "gpio:pip-lines:5,active=low,bias=pull-up,debounce=20ms,every=1ms"
                try await running([trigger]) { outcome in
                    try await Task.sleep(for: .milliseconds(200))
                    for milliseconds in [5, 5, 100] {
                        try chip.pull(5, up: false)
                        try await Task.sleep(for: .milliseconds(milliseconds))
                        try chip.pull(5, up: true)
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    #expect(outcome.moments.read { $0.count } == 1)
                }
            }
        }
    }
}
