import PipCapture
import PipCompose
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Triggers of a running composition", .timeLimit(.minutes(2)))
struct TriggerWatchTests {
    private static let text = """
        canvas: {size: 64x48, fps: 30}
        cameras:
          road: "camera:0"
          driver: {source: pattern:scene, size: 64x48, fps: 30}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-left, width: 50%}]}
          talk: {main: driver, insets: [{of: road, at: bottom-right, width: 25%}]}
        outputs: ["null:"]
        triggers: [
        """

    /// Runs a composition with a trigger, and the reports of its actions.
    private func running(
        _ trigger: String,
        _ body:
            @Sendable @escaping (LiveRig, FakeKernel, TriggerWatch, Monitor<[TriggerWatch.Report]>) async throws
            -> Void
    ) async throws {
        try await FakeKernel.delivering("/dev/video0", FakeCamera(formats: [FakeCamera.Format("YUYV", 64, 48)])) {
            kernel in
            var options = SessionOptions()
            options.pressure.policy = .off
            let rig = try RigFile(Self.text + trigger + "]", path: "rig.yaml").rig
            let live = try await LiveRig(rig, options: options, cameras: CameraDirectory(calls: kernel))
            let reports = Monitor<[TriggerWatch.Report]>([])
            let watch = TriggerWatch(live) { report in reports.update { $0.append(report) } }
            async let run: Void = live.session.run()
            let watching = Task { await watch.run() }
            defer { watching.cancel() }
            do { try await body(live, kernel, watch, reports) } catch {
                live.session.stop()
                throw error
            }
            live.session.stop()
            try await run
        }
    }

    @Test("a camera that is lost shows a scene, and the report names trigger and camera")
    func lost() async throws {
        try await running(#"{on: "lost:road", do: "scene:talk", name: gone}"#) { live, kernel, _, reports in
            #expect(await becomes { live.session.statistics.sources.contains { $0.state == .streaming } })
            #expect(live.rig.scene == "drive")
            kernel.unplug("/dev/video0")
            #expect(await becomes { live.rig.scene == "talk" })
            #expect(live.session.lostSources.map(\.name) == ["camera:0"])
            #expect(await becomes { !reports.read { $0.isEmpty } })
            let first = reports.read { $0[0] }
            #expect(first == .done("gone (camera:0): the scene talk is shown"), "\(first)")
        }
    }

    @Test("an output pauses and goes on, and one that has ended is told")
    func outputs() async throws {
        let triggers =
            #"{on: "lost:road", do: ["stop:null:", "stop:null:"]}, {on: line, do: "start:null:", every: 1ms}"#
        try await running(triggers) { live, kernel, watch, reports in
            #expect(await becomes { live.snapshot.outputs.values.contains { $0.statistics.written > 0 } })
            #expect(await becomes { live.session.statistics.sources.contains { $0.state == .streaming } })
            kernel.unplug("/dev/video0")
            #expect(await becomes { live.rig.outputs[0].isPaused && reports.read { $0.count == 2 } })
            #expect(reports.read { $0[0] } == .done("lost (camera:0): null: pauses"))
            let written = live.snapshot.outputs.values.first?.statistics.written ?? 0
            await watch.take(line: "go")
            #expect(await becomes { (live.snapshot.outputs.values.first?.statistics.written ?? 0) > written })
            #expect(!live.rig.outputs[0].isPaused)
            try await live.change { rig in rig.outputs = [] }
            await watch.take(line: "gone")
            #expect(await becomes { "\(reports.read { $0 })".contains("there is no output null:") })
        }
    }

    @Test("several actions follow each other, a program is told of the firing, and a flood of lines is counted")
    func several() async throws {
        let actions = #"["scene:talk", "run:sh -c 'echo got $PIP_REASON, $PIP_NUMBER; sleep 0.2'"]"#
        let trigger = "{on: line, do: \(actions), every: 1ms}"
        try await running(trigger) { live, _, watch, reports in
            await watch.take(line: "hello")
            #expect(await becomes { reports.read { $0.contains(.printed("line: sh: got hello, 1")) } })
            #expect(live.rig.scene == "talk")
            #expect(reports.read { $0.first } == .done("line (hello): the scene talk is shown"))
            for number in 0..<1000 {
                await watch.take(line: "\(number)")
                // Lines within the trigger's least distance do not fire.
                if number < 50 { try await Task.sleep(for: .milliseconds(1)) }
            }
            #expect(await becomes { reports.read { "\($0)".contains("were left out") } })
            #expect(reports.read { $0.count } < 1000)
        }
    }

    @Test("motion in a picture, and a line, start an action; a pinned pressure does, too")
    func others() async throws {
        try await running(
            """
            {on: "motion:driver>0.005", do: "scene:talk"}, {on: line, do: "scene:drive"},
            {on: "pressure:serious", do: "scene:talk", every: 2s}
            """
        ) { live, _, watch, reports in
            #expect(await becomes { live.rig.scene == "talk" })
            await watch.take(line: "back")
            #expect(await becomes { live.rig.scene == "drive" })
            await live.session.pinPressure(.critical)
            #expect(await becomes { live.rig.scene == "talk" })
            #expect(live.session.pressureLevel == .critical && live.session.lostSources.isEmpty)
            let words = reports.read { $0.map { "\($0)" } }
            #expect(words.contains { $0.contains("motion (") } && words.contains { $0.contains("line (back)") })
        }
    }
}
