import Foundation
import PipCompose
import PipConcurrency
import PipTestSupport
import PipText
import Testing

@testable import PipRig

@Suite("Sources of values of a running composition", .timeLimit(.minutes(2)))
struct TelemetryWatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A running composition with its sources and triggers.
    private struct Running: Sendable {
        let live: LiveRig
        let told: Monitor<[TelemetryReport]>
        let done: Monitor<[TriggerWatch.Report]>
    }

    private func running(
        _ lines: String, _ body: @Sendable @escaping (Running) async throws -> Void
    ) async throws {
        let text = """
            canvas: {size: 64x48, fps: 30}
            cameras: {road: {source: pattern:bars, size: 64x48, fps: 30}}
            outputs: ["null:"]
            \(lines)
            """
        var options = SessionOptions()
        options.pressure.policy = .off
        let live = try await LiveRig(try RigFile(text, path: "rig.yaml").rig, options: options)
        let running = Running(live: live, told: Monitor([]), done: Monitor([]))
        let watch = TelemetryWatch(live) { report in running.told.update { $0.append(report) } }
        let triggers = TriggerWatch(live, devices: FakeInputs()) { report in running.done.update { $0.append(report) } }
        async let run: Void = live.session.run()
        let tasks = [Task { await watch.run() }, Task { await triggers.run() }]
        do { try await body(running) } catch {
            live.session.stop()
            throw error
        }
        live.session.stop()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        try await run
    }

    /// Writes lines to a pipe once somebody reads it.
    private func send(_ lines: String..., to path: String) async throws {
        try await Task.detached {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data(lines.map { "\($0)\n" }.joined().utf8))
            try file.close()
        }.value
    }

    @Test("a track has what came until the end of the run, too")
    func ended() async throws {
        let path = folder.path("all.csv")
        try await running("telemetry: [api]\ntracks: [\"\(path)\"]") { running in
            running.live.telemetry.set("a", to: 1)
            #expect(await becomes { FileManager.default.fileExists(atPath: path) })
            running.live.telemetry.set("b", to: 2)
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(",a,1.0") && text.contains(",b,2.0"), "\(text)")
    }

    @Test("values are set, and a value beyond its limit fires a trigger once")
    func trigger() async throws {
        let path = try folder.pipe("values")
        try await running(
            """
            telemetry: ["json:\(path)"]
            triggers: ["speed>130,every=1ms,do=run:echo fast"]
            overlays: [{text: "{speed:%.0f} km/h"}]
            """
        ) { running in
            try await send(#"{"speed": 87.2}"#, to: path)
            #expect(await becomes { running.live.telemetry.value(of: "speed") == .number(87.2) })
            #expect(running.done.read { $0.isEmpty })
            for speed in [131.0, 129, 131, 100, 140] {
                try await send("{\"speed\": \(speed)}", to: path)
                #expect(await becomes { running.live.telemetry.value(of: "speed") == .number(speed) })
                // The trigger looks at the value every 66 ms.
                try await Task.sleep(for: .milliseconds(200))
            }
            // 129 is less than two per cent below the limit: the first condition goes on.
            let fast = TriggerWatch.Report.printed("speed: echo: fast")
            #expect(await becomes { running.done.read { $0.count { $0 == fast } } == 2 }, "\(running.done.read { $0 })")
        }
    }

    @Test("row 83: a source that goes is told once, and told again when its values come")
    func returns() async throws {
        let path = folder.path("later")
        try await running("telemetry: [\"json:\(path),name=box\"]") { running in
            #expect(await becomes { !running.told.read { $0.isEmpty } })
            _ = try folder.pipe("later")
            try await send("no JSON", #"{"a": 1}"#, to: path)
            #expect(await becomes { running.live.telemetry.value(of: "box.a") == .number(1) })
            #expect(
                running.told.read { $0 } == [
                    .missing(
                        "json:\(path),name=box: \(path): there is no such source of values; tried again every second"),
                    .back("json:\(path),name=box: values come again"),
                ])
        }
    }

    @Test("a change of the configuration changes what is read")
    func reload() async throws {
        let (first, second) = (try folder.pipe("first"), try folder.pipe("second"))
        try await running("telemetry: [\"json:\(first)\"]") { running in
            try await send(#"{"a": 1}"#, to: first)
            #expect(await becomes { running.live.telemetry.value(of: "a") == .number(1) })
            let source = try TelemetryArgument("json:\(second)")
            try await running.live.change { $0.telemetry = [source] }
            try await send(#"{"b": 2}"#, to: second)
            #expect(await becomes { running.live.telemetry.value(of: "b") == .number(2) })
            // Nobody reads the first pipe any more.
            #expect(
                await becomes {
                    let descriptor = unsafe open(first, O_WRONLY | O_NONBLOCK)
                    defer { if descriptor >= 0 { close(descriptor) } }
                    return descriptor < 0
                })
        }
    }

    @Test("row 83: a source that is silent, or sends something else, is told as such")
    func silent() async throws {
        try await VirtualTime.run { clock, _ in
            let telemetry = Telemetry(clock: clock)
            let told = Monitor<[TelemetryReport]>([])
            let line = try SerialLine()
            let source = try TelemetryArgument("nmea:\(line.path),baud=4800")
            let feed = TelemetryFeed(source, telemetry, FakeInputs()) { report in told.update { $0.append(report) } }
            feed.start(after: [])
            try await clock.sleep(for: .seconds(9))
            feed.check()
            #expect(told.read { $0.isEmpty })
            try await clock.sleep(for: .seconds(2))
            for _ in 0..<3 { feed.check() }
            #expect(told.read { $0 } == [.missing("nmea:\(line.path),baud=4800: nothing has come for 10 s")])
            _ = feed.stop()
        }
    }
}
