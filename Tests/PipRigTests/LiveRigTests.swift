import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Running compositions", .timeLimit(.minutes(2)))
struct LiveRigTests {
    private static let text = """
        canvas: {size: 64x32, fps: 60}
        cameras:
          road: {source: pattern:bars, size: 64x32, fps: 60}
          driver: {source: pattern:ramp, size: 64x32, fps: 60}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-left, width: 50%}]}
          talk: {main: driver, insets: [{of: road, at: bottom-right, width: 25%}]}
        effects: {road: [{brightness: 0}]}
        outputs: ["null:"]
        """

    /// Runs a composition while `body` uses it.
    private func running(
        _ text: String = text, _ body: @Sendable @escaping (LiveRig, Picture) async throws -> Void
    ) async throws {
        let tap = FrameTap(.i420)
        var options = SessionOptions()
        options.pressure.policy = .off
        let live = try await LiveRig(try RigFile(text, path: "rig.yaml").rig, options: options) { picture in
            func connect(_ producer: some FrameProducer) { producer --> tap }
            connect(picture)
        }
        async let run: Void = live.session.run()
        do { try await body(live, Picture(tap)) } catch {
            live.session.stop()
            throw error
        }
        live.session.stop()
        try await run
    }

    /// Reads the composed frames.
    ///
    /// Only one task may use a reader.
    private final class Picture {
        private var frames: FrameStream.AsyncIterator

        init(_ tap: FrameTap) { frames = tap.frames.makeAsyncIterator() }

        /// The luma rows of a frame drawn after this call.
        func luma(of live: LiveRig) async throws -> [[UInt8]] {
            // The stream may still contain frames that were drawn before this call.
            let count = live.session.statistics.output.frames
            while let frame = await frames.next() {
                guard frame.info.sequence > UInt64(count) else { continue }
                return frame.withPlane(0) { pixels, layout in
                    (0..<32).map { row in
                        (0..<64).map {
                            unsafe pixels.unsafeLoad(fromByteOffset: row * layout.strideInBytes + $0, as: UInt8.self)
                        }
                    }
                }
            }
            throw RigError(.unavailable, "the session has ended without another frame")
        }
    }

    @Test("a reload keeps a pinned pressure level, unless the configuration changes the level")
    func keepsPressure() async throws {
        func file(_ pressure: String, _ strength: String) throws -> RigFile {
            try RigFile(
                Self.text.replacing("brightness: 0", with: "brightness: \(strength)")
                    + "\npressure: {policy: \"off\"\(pressure)}\n", path: "rig.yaml")
        }
        let live = try await LiveRig(file("", "0"))
        await live.session.pinPressure(.serious)
        try await live.reload(file("", "0.1"))
        #expect(live.session.statistics.pressure.pinned == .serious)
        async let run: Void = live.session.run(for: .seconds(90))
        while !live.session.statistics.pressure.state.isKnown { try await Task.sleep(for: .milliseconds(5)) }
        #expect(live.session.statistics.pressure.state.level == .serious)
        try await live.reload(file(", pin: critical", "0.1"))
        while live.session.statistics.pressure.state.level != .critical { try await Task.sleep(for: .milliseconds(5)) }
        live.session.stop()
        try await run
    }

    @Test("a scene, a chain and a source change at once, and the picture with them")
    func changes() async throws {
        try await running { live, picture in
            let before = try await picture.luma(of: live)
            try await live.change { rig in
                rig.layers = rig.scenes[1].layers
                rig.scene = "talk"
                let id = rig.makeID("e")
                rig.chains["driver"] = [RigEffect(id: id, try EffectArgument.effects("invert")[0])]
            }
            let after = try await picture.luma(of: live)
            #expect(before != after)
            #expect(live.snapshot.revision == 2 && live.rig.scene == "talk")
            // The left edge showed the bars, and now shows the inverted ramp.
            #expect(after[31][0] != before[31][0])
            try await live.change { rig in
                rig.chains["driver"] = []
                rig[picture: "driver"]?.source = try SourceArgument("pattern:bars?size=64x32&fps=60")
                rig.layers[0].look.opacity = 0.5
            }
            let third = try await picture.luma(of: live)
            #expect(third != after)
        }
    }

    @Test("blending changes to linear light during a session: a half-transparent layer gets brighter")
    func light() async throws {
        try await running { live, picture in
            /// The mean luma of the inset in the canvas's last six rows.
            func mean(of luma: [[UInt8]]) -> Int {
                luma[26..<32].map { $0[24..<56].reduce(0) { $0 + Int($1) } }.reduce(0, +) / (6 * 32)
            }
            try await live.change { $0.layers[1].look.opacity = 0.5 }
            let encoded = mean(of: try await picture.luma(of: live))
            try await live.change { $0.light = .linear }
            #expect(mean(of: try await picture.luma(of: live)) > encoded + 2)
        }
    }

    @Test("outputs begin, pause and end, and unchanged outputs continue")
    func outputs() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("b.y4m")
        try await running { live, picture in
            let kept = try #require(live.snapshot.outputs.values.first)
            let id = try await live.change { rig in
                let id = rig.makeID("o")
                rig.outputs.append(RigOutput(id: id, try SinkArgument(path), of: "driver"))
                return id
            }
            _ = try await picture.luma(of: live)
            let output = try #require(live.snapshot.outputs[id])
            while output.statistics.written == 0 { await Task.yield() }
            try await live.change { $0.outputs[1].isPaused = true }
            #expect(output.state == .paused)
            try await live.change { $0.outputs.removeAll { $0.id == id } }
            #expect(output.state == .finished && live.snapshot.outputs[id] == nil)
            #expect(live.snapshot.outputs.values.first === kept && kept.state == .running)
        }
        #expect(try Data(contentsOf: folder.url.appending(path: "b.y4m")).count > 64 * 32)
    }

    @Test(
        "a change that is refused leaves everything as it was",
        arguments: ["unknown picture", "no file", "canvas", "last picture", "its own mistake"])
    func refuses(_ kind: String) async throws {
        try await running { live, picture in
            _ = try await picture.luma(of: live)
            let outputs = live.snapshot.outputs.keys.sorted()
            let error = await #expect(throws: (any Error).self) {
                try await live.change { rig in
                    rig.layers[0].look.opacity = 0.1
                    switch kind {
                    case "unknown picture": rig.layers.append(RigLayer("rear"))
                    case "no file":
                        rig.outputs.append(RigOutput(id: rig.makeID("o"), try SinkArgument("/nowhere/x.y4m"), of: nil))
                    case "canvas": rig.canvas = .hd1080
                    case "last picture": (rig.pictures, rig.layers, rig.scenes, rig.chains) = ([], [], [], [:])
                    default: throw RigError(.invalid, "no")
                    }
                }
            }
            #expect(error.map { "\($0)".isEmpty } == false)
            #expect(live.snapshot.revision == 1 && live.rig.layers[0].look.opacity == 1)
            #expect(live.snapshot.outputs.keys.sorted() == outputs)
            try await live.change { $0.layers[0].look.opacity = 0.2 }
            #expect(live.rig.layers[0].look.opacity == 0.2)
        }
    }

    @Test("an output can begin paused")
    func pausedAtFirst() async throws {
        let text = Self.text.replacing("[\"null:\"]", with: "[\"null:\", {to: \"null:?format=nv12\", paused: on}]")
        try await running(text) { live, picture in
            for _ in 0..<3 { _ = try await picture.luma(of: live) }
            let outputs = live.rig.outputs.map { live.snapshot.outputs[$0.id] }
            #expect(outputs[0]?.statistics.written ?? 0 > 0)
            #expect(outputs[1]?.state == .paused)
            #expect(outputs[1]?.statistics.written == 0)
            try await live.change { $0.outputs[1].isPaused = false }
            _ = try await picture.luma(of: live)
            #expect(outputs[1]?.state == .running)
        }
    }

    @Test("a change based on another revision is refused")
    func revisions() async throws {
        try await running { live, _ in
            try await live.change(expecting: 1) { $0.layers[0].z = 1 }
            await #expect(
                throws: RigError(
                    .conflict, "the composition has changed meanwhile: read its state again, then repeat the change")
            ) {
                try await live.change(expecting: 1) { $0.layers[0].z = 2 }
            }
            #expect(live.rig.layers[0].z == 1)
        }
    }

    /// Makes a client's change: client 0 fades the main layer, client 1 moves the inset, client 2 changes an effect.
    private static func change(_ rig: inout Rig, by client: Int, to value: Int) throws {
        switch client {
        case 0: rig.layers[0].look.opacity = Double(value) / 100
        case 1: rig.layers[1].placement.position = .at(x: value % 32, y: value % 16)
        default: rig.chains["road"]?[0].effect = try EffectArgument.effects("brightness=\(Double(value) / 200)")[0]
        }
    }

    @Test("row 65: 1,000 changes by three clients at once are all made as requested, and merged")
    func flood() async throws {
        try await running { live, picture in
            _ = try await picture.luma(of: live)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<3 {
                    group.addTask {
                        for batch in 0..<34 {
                            // Each client requests ten changes at once, and waits for all of them.
                            try await withThrowingTaskGroup(of: Void.self) { changes in
                                for step in 0..<10 {
                                    let value = (client * 31 + batch * 7 + step * 3) % 100
                                    changes.addTask {
                                        try await live.change { try Self.change(&$0, by: client, to: value) }
                                    }
                                }
                                try await changes.waitForAll()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await live.change { rig in
                rig.layers[0].look.opacity = 0.75
                rig.layers[1].placement.position = .at(x: 4, y: 6)
            }
            let snapshot = live.snapshot
            #expect(snapshot.revision == 3 * 340 + 2)
            // The running graph has the values of the last change.
            let records = snapshot.layers.mapValues(\.record)
            #expect(records["road"]??.look.opacity == 0.75)
            #expect(records["driver"]??.placement.position == .at(x: 4, y: 6))
            let frames = live.session.statistics.output
            FaultReport.record(row: 65, figures: "1,020 changes, \(frames.missed) of \(frames.frames) frames missed")
        }
    }
}
