import PipCompose
import Testing

extension CameraLab {
    @Suite("Two cameras at 720p, 30 frames a second, for ten seconds")
    struct TwoCamerasTests {
        @Test("deliver every frame, and are composed at the full rate", arguments: [false, true])
        func vivid(isMultiPlanar: Bool) async throws {
            try await Vivid.withWebcams(isMultiPlanar: isMultiPlanar) { nodes in
                try await compose(nodes[0].source(), nodes[1].source())
            }
        }

        @Test(
            "of USB, which send JPEG, likewise",
            .disabled("a debug build draws two of 720p at 19 frames a second in the guest; the cause is not found yet")
        )
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
            let rate = FrameRate(30)
            let duration = Duration.seconds(10)
            let picture = Compositor {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.25, margin: 24)
            }
            picture --> NullSink(.nv12)
            let run = try await SessionRun(picture, for: duration)
            run.expectFullRate(ofSource: 0, rate, for: duration)
            run.expectFullRate(ofSource: 1, rate, for: duration)
            run.expectFullOutput(rate, for: duration)
            #expect(run.cameraEvents.isEmpty)
            if let latency = run.statistics.latency {
                print("latency of two cameras: p50 \(latency.p50), p99 \(latency.p99)")
            }
        }
    }
}
