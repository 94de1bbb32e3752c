import Foundation
import PipCapture
import PipCompose
import Testing

extension CameraLab {
    /// Two cameras and a thermal zone of the kernel: critical is from 95 °C, shutdown from 100 °C.
    @Suite("A session on a machine that gets hot", .timeLimit(.minutes(2)))
    struct HotSessionTests {
        private static let size = PixelSize(320, 180)

        @Test(
            "row 68: switches the inset camera off at critical, and on again once it is cool; the main camera goes on")
        func insetOff() async throws {
            try await withCameras { main, inset in
                var options = SessionOptions()
                options.pressure.policy.timing.dwell = .zero
                options.pressure.policy.timing.restoreInterval = .zero
                options.pressure.policy.timing.cameraHold = .zero
                let (picture, _) = self.picture(main, inset)
                picture --> NullSink(.nv12)
                let session = try await Session(picture, options: options)
                async let running: Void = session.run()
                var switched: [CameraEvent] = []
                for await event in session.events {
                    switch event {
                    case .started: try heat("97000")
                    case .camera(let name, .disabled):
                        #expect(name == "/dev/video1")
                        switched.append(.disabled)
                        try heat("45000")
                    case .camera(_, .enabled):
                        switched.append(.enabled)
                        session.stop()
                    default: break
                    }
                }
                try await running
                #expect(switched == [.disabled, .enabled])
                let statistics = session.statistics
                #expect(statistics.pressure.events.contains { $0.level >= .critical && $0.taken.contains(.insetOff) })
                #expect(statistics.pressure.events.contains { $0.restored.contains(.insetOff) })
                #expect(statistics.sources[0].drops[.sequenceGap] == 0)
            }
        }

        @Test("row 72: ends by itself before the kernel switches the machine off, with whole files and no error")
        func shutdown() async throws {
            try await withCameras { main, inset in
                let file = FileManager.default.temporaryDirectory.appending(path: "hot-\(UUID()).nv12")
                defer { try? FileManager.default.removeItem(at: file) }
                let (picture, canvas) = self.picture(main, inset)
                picture --> RawFile(file.path, format: .nv12)
                let session = try await Session(picture)
                async let running: Void = session.run()
                for await case .started in session.events {
                    try heat("101000")
                    break
                }
                try await running
                let event = try #require(session.statistics.pressure.events.last)
                #expect(event.level == .shutdown)
                #expect(event.factors[.systemTemperature] == .shutdown)
                #expect(event.taken.contains(.stop))
                let bytes = try Data(contentsOf: file).count
                #expect(bytes > 0 && bytes % (canvas.area * 3 / 2) == 0)
                #expect(session.statistics.sinks[0].error == nil)
            }
        }

        private func picture(_ main: CameraSource, _ inset: CameraSource) -> (Compositor, PixelSize) {
            let picture = Compositor(canvas: Self.size) {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.25, margin: 8)
            }
            return (picture, Self.size)
        }

        private func withCameras(_ body: (CameraSource, CameraSource) async throws -> Void) async throws {
            try await withModule("pip_thermal", ["type=cpu-thermal"]) {
                try await Vivid.withWebcams { nodes in
                    try await body(nodes[0].source(Self.size), nodes[1].source(Self.size))
                }
            }
        }

        private func heat(_ text: String) throws {
            try text.write(
                toFile: "/sys/module/pip_thermal/parameters/temperature", atomically: false, encoding: .utf8)
        }
    }
}
