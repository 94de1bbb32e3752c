import Foundation
import PipCapture
import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    /// Tests with two cameras and a thermal zone of the kernel, whose level is critical from 95 °C and shutdown from
    /// 100 °C on.
    @Suite("A session on a machine that is about to be too hot", .timeLimit(.minutes(2)))
    struct HotSessionTests {
        private static let size = PixelSize(320, 180)

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
                let heated = MonotonicClock().now
                try await running
                let seconds = heated.duration(to: MonotonicClock().now).inSeconds
                let event = try #require(session.statistics.pressure.events.last)
                #expect(event.level == .shutdown)
                #expect(event.factors[.systemTemperature] == .shutdown)
                #expect(event.taken.contains(.stop))
                let bytes = try Data(contentsOf: file).count
                #expect(bytes > 0 && bytes % (canvas.area * 3 / 2) == 0)
                #expect(session.statistics.sinks[0].error == nil)
                FaultReport.record(
                    row: 72, figures: "over, with whole files, \((seconds * 10).rounded() / 10) s after the heat")
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
