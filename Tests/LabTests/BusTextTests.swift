import PipCompose
import PipConcurrency
import PipTestSupport
import PipText
import Testing

@testable import PipRig

/// Notes each picture's white samples with its time.
private final class PictureLog: FrameSink {
    let format = PixelFormat.nv12
    private let pictures: Monitor<[(time: Timestamp, white: [Bool])]>

    init(_ pictures: Monitor<[(time: Timestamp, white: [Bool])]>) { self.pictures = pictures }

    func open(_ info: FrameInfo, rate: FrameRate) throws {}

    func write(_ frame: Frame) throws {
        let white = samples(frame, plane: 0).map { $0 > 230 }
        pictures.update { $0.append((frame.timestamp, white)) }
    }

    func finish() throws {}
}

extension CameraLab {
    /// Tests with the kernel's vcan, and with its clock.
    @Suite("Texts of a CAN bus", .inVirtualTime)
    struct BusTextTests {
        private typealias Pictures = Monitor<[(time: Timestamp, white: [Bool])]>

        private static let speeds = [800, 1250, 3000, 5120, 64]
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// A composition with a text over bars, whose pictures are noted.
        private func rig(_ text: String, _ pictures: Pictures) async throws -> LiveRig {
            try folder.write(
                Array("BO_ 416 Engine: 8 X\n SG_ EngineSpeed : 0|16@1+ (0.125,0) [0|8031.875] \"rpm\" X\n".utf8),
                to: "engine.dbc")
            let lines = """
                canvas: {size: 160x64, fps: 30}
                cameras: {road: {source: pattern:bars, size: 160x64, fps: 30}}
                outputs: ["null:"]
                telemetry: [{from: can:vcan0, dbc: \(folder.path("engine.dbc")), valid: 1h}]
                overlays: [{text: "\(text)", at: top-left, margin: 0, size: 24}]
                """
            return try await LiveRig(try RigFile(lines, path: "rig.yaml").rig, options: .ungoverned) { whole in
                Self.connect(whole, pictures)
            }
        }

        private static func connect(_ picture: some FrameProducer, _ pictures: Pictures) {
            picture --> CustomSink("log") { PictureLog(pictures) }
        }

        @Test("read back from the pictures, each value is there within two frames of its message")
        func shown() async throws {
            var expected: [[Bool]] = []
            for speed in Self.speeds {
                let pictures = Pictures([])
                try await rig("\(speed) rpm", pictures).session.run(frames: 2)
                expected.append(try #require(pictures.read { $0.last?.white }))
            }
            #expect(Set(expected).count == Self.speeds.count)
            let pictures = Pictures([])
            var sent: [Timestamp] = []
            try await VirtualBus.with("vcan0") { bus in
                let live = try await rig("{EngineSpeed:%.0f} rpm", pictures)
                let watch = Task { await TelemetryWatch(live) { _ in }.run() }
                async let run: Void = live.session.run()
                #expect(await becomes { pictures.read { $0.count > 3 } })
                // Until the bus is open, messages are lost.
                #expect(
                    await becomes {
                        try? bus.send(416, [1, 0])
                        return live.telemetry.value(of: "EngineSpeed") == .number(0.125)
                    })
                for speed in Self.speeds {
                    // Not in step with the frames.
                    try await Task.sleep(for: .milliseconds(157))
                    sent.append(MonotonicClock().now)
                    try bus.send(416, [UInt8(speed * 8 & 255), UInt8(speed * 8 / 256)])
                }
                try await Task.sleep(for: .milliseconds(157))
                live.session.stop()
                watch.cancel()
                await watch.value
                try await run
            }
            for (speed, (time, white)) in zip(Self.speeds, zip(sent, expected)) {
                let first = try #require(
                    pictures.read { $0.first { $0.time > time && $0.white == white } }, "\(speed) rpm")
                let delay = time.duration(to: first.time)
                #expect(delay < FrameRate(30).interval * 2, "\(speed) rpm: \(delay)")
            }
        }
    }
}
