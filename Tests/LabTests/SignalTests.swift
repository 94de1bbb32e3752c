import PipCapture
import PipCompose
import Testing

extension CameraLab {
    @Suite("An HDMI input")
    struct SignalTests {
        @Test("row 29: whose signal changes, goes and comes back is followed; the output keeps its size")
        func follows() async throws {
            let parameters = ["n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0x3"]
            try await withModule("vivid", parameters) {
                let node = try VideoNode("/dev/video0")
                try node.set("timestamp_source", to: 1)
                let picture = Compositor(canvas: PixelSize(640, 360)) {
                    Layer(CameraSource(.path(node.path))).whenMissing(.slate)
                }
                let tap = FrameTap(.nv12, buffering: .newest(2))
                picture --> tap
                var sizes: Set<PixelSize> = []
                let run = try await SessionRun.watching(picture, tap, frames: 420) { number, frame, _ in
                    sizes.insert(frame.size)
                    switch number {
                    // The signal becomes 1920x1080 at 30 Hz, which is entry 12 of vivid's list.
                    case 60:
                        try node.set("dv_timings", to: 12)
                        try node.set("dv_timings_signal_mode", to: 4)
                    // The signal disappears, and then returns.
                    case 180: try node.set("dv_timings_signal_mode", to: 1)
                    case 300: try node.set("dv_timings_signal_mode", to: 4)
                    default: break
                    }
                }
                #expect(sizes == [PixelSize(640, 360)])
                let words = run.cameraEvents.map(\.event.word)
                #expect(
                    words.filter { $0 == "reopened" }.count >= 2 && words.contains("waiting"), "\(run.cameraEvents)")
                run.expectAccounted(run.statistics.sources[0])
            }
        }
    }
}
