import PipCapture
import PipCompose
import Testing

extension CameraLab {
    @Suite("A camera that is switched off and on")
    struct EnableTests {
        @Test("is not negotiated again, shows its layer's policy, and leaves no gap in the other camera's frames")
        func offAndOn() async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set(.red)
                try nodes[1].set(.blue)
                let calls = RecordingCalls()
                // The small size leaves idle time on the guest's single processor. Otherwise the driver would lose
                // frames.
                let size = PixelSize(640, 360)
                let (main, inset) = (nodes[0].source(size), nodes[1].source(size))
                let picture = Compositor {
                    Layer(main)
                    Layer(inset).placed(.topRight, width: 0.25, margin: 24).whenMissing(.hide)
                }
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                var shown: [Int: Bool] = [:]
                var requests: [String] = []
                let run = try await SessionRun.watching(picture, tap, frames: 120, calls: calls) {
                    number, frame, session in
                    shown[number] = frame.shows(.blue, x: 536, y: 60)
                    switch number {
                    case 30:
                        for node in nodes { _ = calls.takeRequests(of: node.path) }
                        try await session.setEnabled(false, inset)
                    case 75: try await session.setEnabled(true, inset)
                    case 119: requests = calls.takeRequests(of: nodes[1].path)
                    default: break
                    }
                }
                #expect([29, 74, 119].map { shown[$0] } == [true, false, true])
                // Events and capability queries may come at any time, for example about controls that a stopped stream
                // unlocks.
                let heard = ["VIDIOC_DQEVENT", "VIDIOC_QUERYCAP"]
                #expect(requests.filter { !heard.contains($0) } == ["VIDIOC_STREAMOFF", "VIDIOC_STREAMON"])
                #expect(run.cameraEvents.map(\.event) == [.disabled, .enabled])
                #expect(run.statistics.sources[0].drops[.sequenceGap] == 0)
                for source in run.statistics.sources { run.expectAccounted(source) }
            }
        }
    }
}
