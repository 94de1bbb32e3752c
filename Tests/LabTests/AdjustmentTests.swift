import PipCompose
import Testing

extension CameraLab {
    @Suite("A USB camera that is told by meaning")
    struct AdjustmentTests {
        private static let names = [
            "auto_exposure", "exposure_time_absolute", "white_balance_automatic", "white_balance_temperature",
        ]

        @Test("has the exposure and the white balance that were asked for, all or none, and the other camera its own")
        func adjusts() async throws {
            var adjusted: [[Int?]] = []
            var refused: [[Int?]] = []
            var refusal: SessionError?
            _ = try await Self.watchTwo(frames: 90) { number, main, nodes, session in
                if number == 40 {
                    try await session.adjust(main) {
                        $0.exposure = .time(.milliseconds(10))
                        $0.whiteBalance = .temperature(5000)
                    }
                    adjusted = try nodes.map(Self.settings)
                }
                if number == 60 {
                    do throws(SessionError) {
                        try await session.adjust(main) {
                            $0.exposure = .continuous
                            $0.isStabilized = true
                        }
                    } catch { refusal = error }
                    refused = try nodes.map(Self.settings)
                }
            }
            #expect(adjusted.first == [1, 100, 0, 5000])
            #expect([adjusted.last?[0], adjusted.last?[2]] == [3, 1])
            #expect(refused.first == [1, 100, 0, 5000])
            #expect(
                refusal?.description.hasSuffix("cannot set stabilization: the camera has no control for this setting")
                    == true,
                "\(String(describing: refusal))")
        }

        @Test("decides once what it is asked to, and keeps it, while the other camera goes on deciding")
        func once() async throws {
            var before: [Int?] = []
            var after: [[Int?]] = []
            let run = try await Self.watchTwo(frames: 120) { number, main, nodes, session in
                if number == 20 {
                    try await session.adjust(main) { ($0.exposure, $0.whiteBalance) = (.once, .once) }
                    before = try Self.settings(of: nodes[0])
                }
                if number == 119 { after = try nodes.map(Self.settings) }
            }
            #expect([before[0], before[2]] == [3, 1], "the automatics work")
            #expect(after.first == [1, 156, 0, 4000])
            #expect([after.last?[0], after.last?[2]] == [3, 1])
            let events = run.statistics.sources[0].events.filter { $0.contains("is settled") }
            #expect(events.count == 2, "\(events)")
            for source in run.statistics.sources { run.expectAccounted(source) }
        }

        @Test("C11: a driver with a scaler reads the middle of its input, and its pictures keep their size")
        func sensorZoom() async throws {
            try await withModule("vivid", ["n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0x2"]) {
                let node = try VideoNode("/dev/video0")
                try node.set("timestamp_source", to: 1)
                var wish = CameraWish(size: PixelSize(720, 576), frameRate: FrameRate(25))
                wish.adjustments.zoom = 2
                let camera = CameraSource(.path("/dev/video0"), wish: wish)
                let tap = FrameTap(.i420, buffering: .newest(2))
                camera --> tap
                var part = ""
                var size: PixelSize?
                _ = try await SessionRun.watching(camera, tap, frames: 6) { number, frame, _ in
                    if number == 3 { part = try runProgram(["v4l2-ctl", "--get-selection", "target=crop"]) }
                    size = frame.layout.size
                }
                #expect(size == PixelSize(720, 576))
                #expect(part.contains("Left 180, Top 144, Width 360, Height 288"), "\(part)")
            }
        }

        /// Composes two USB cameras, the second as an inset, whose automatic controls settle on different values.
        ///
        /// Calls `look` with the number of each frame, the first camera, the nodes of both cameras and the session.
        private static func watchTwo(
            frames: Int, _ look: (Int, CameraSource, [VideoNode], Session) async throws -> Void
        ) async throws -> SessionRun {
            let pictures = try Pictures()
            let file = try pictures.file("red.mjpeg", try await pictures.plain(.red))
            return try await USBCamera.withCameras([file, file], settled: [(156, 4000), (312, 5200)]) { cameras in
                let nodes = try cameras.map { try VideoNode($0.path) }
                let main = cameras[0].source()
                let picture = Compositor {
                    Layer(main)
                    Layer(cameras[1].source()).placed(.topRight, width: 0.25)
                }
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                return try await SessionRun.watching(picture, tap, frames: frames) { number, _, session in
                    try await look(number, main, nodes, session)
                }
            }
        }

        private static func settings(of node: VideoNode) throws -> [Int?] {
            let values = try node.values()
            return names.map { values[$0] }
        }
    }
}
