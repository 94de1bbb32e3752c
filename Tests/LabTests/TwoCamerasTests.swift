import PipCompose
import Testing

extension CameraLab {
    /// Tests in virtual time, in which no frame may be late or lost.
    ///
    /// The package in `Benchmarks` measures the speed.
    @Suite("Two cameras at 720p, 30 frames a second, for ten seconds", .inVirtualTime)
    struct TwoCamerasTests {
        @Test("deliver every frame, and are composed at the full rate", arguments: [false, true])
        func vivid(isMultiPlanar: Bool) async throws {
            try await Vivid.withWebcams(isMultiPlanar: isMultiPlanar) { nodes in
                try await compose(nodes[0].source(), nodes[1].source())
            }
        }

        @Test("of USB, which send JPEG, likewise")
        func usb() async throws {
            let pictures = try Pictures()
            let files = [
                try pictures.file("a.mjpeg", try await pictures.scene(5)),
                try pictures.file("b.mjpeg", try await pictures.scene(5, seed: 1)),
            ]
            try await USBCamera.withCameras(files) { cameras in
                try await compose(cameras[0].source(), cameras[1].source())
            }
        }

        @Test("of different drivers likewise")
        func mixed() async throws {
            let pictures = try Pictures()
            let file = try pictures.file("a.mjpeg", try await pictures.scene(5))
            try await Vivid.withWebcams(1) { nodes in
                try await USBCamera.withCameras([file]) { cameras in
                    try await compose(nodes[0].source(), cameras[0].source())
                }
            }
        }

        private func compose(_ main: CameraSource, _ inset: CameraSource) async throws {
            let picture = Compositor {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.25, margin: 24)
            }
            picture --> NullSink(.nv12)
            let (run, steady) = try await SessionRun.steady(picture, for: .seconds(10))
            // The measurement may begin and end in the middle of a frame.
            let due = steady.due(30) - 2
            for (index, delivered) in steady.delivered.enumerated() {
                #expect(delivered >= due, "camera \(index): \(delivered) of \(steady.due(30))")
            }
            #expect(steady.written >= due, "written: \(steady.written) of \(steady.due(30))")
            for source in run.statistics.sources { run.expectAccounted(source) }
            #expect(run.cameraEvents.isEmpty, "\(run.cameraEvents)")
            if let latency = run.statistics.latency {
                print("latency of two cameras: p50 \(latency.p50), p99 \(latency.p99)")
            }
        }
    }
}
