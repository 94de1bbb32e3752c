import PipCapture
import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("A driver that fails")
    struct DriverFaultTests {
        private static let size = PixelSize(320, 180)

        @Test("row 9: a STREAMON that fails once is made again, and the camera streams")
        func streamOn() async throws { try await fails("inject_vidioc_streamon_error") }

        @Test("row 10: a REQBUFS that fails once is made again, and the camera streams")
        func requestBuffers() async throws { try await fails("inject_vidioc_reqbufs_error") }

        private func fails(_ control: String) async throws {
            try await Vivid.withWebcams(1) { nodes in
                try nodes[0].set(control)
                let run = try await watch(nodes[0], frames: 60) { _ in }
                #expect(run.cameraEvents.isEmpty, "\(run.cameraEvents)")
                #expect(run.statistics.sources[0].delivered >= 30)
            }
        }

        @Test("row 11: a buffer that the driver refuses once costs one frame at most, and the stream goes on")
        func refusedBuffer() async throws {
            try await Vivid.withWebcams(1) { nodes in
                let run = try await watch(nodes[0], frames: 90) { number in
                    if number == 30 { try nodes[0].set("inject_vidioc_qbuf_error") }
                }
                let source = run.statistics.sources[0]
                #expect(source.drops[.sequenceGap] <= 1 + Int(run.stalled.inSeconds * 30), "\(source)")
                #expect(run.cameraEvents.isEmpty, "\(run.cameraEvents)")
            }
        }

        @Test("row 22: a camera that falls silent is called stalled within a second, and shows again when it delivers")
        func silent() async throws {
            try await Vivid.withWebcams(1) { nodes in
                let run = try await watch(nodes[0], frames: 240) { number in
                    if number == 30 { try nodes[0].set("percentage_of_dropped_buffers", to: 100) }
                    if number == 150 { try nodes[0].set("percentage_of_dropped_buffers", to: 0) }
                }
                let words = run.cameraEvents.map(\.event.word)
                #expect(
                    words.first == "stalled" && ["resumed", "reopened"].contains(words.last), "\(run.cameraEvents)")
                guard case .stalled(let after)? = run.cameraEvents.first?.event else { return }
                #expect(after - run.stalled < .milliseconds(1500))
                #expect(run.statistics.output.missed <= 2 + Int(run.stalled.inSeconds * 30))
            }
        }

        @Test("row 24: the wrap of a driver's frame numbers is no loss")
        func sequenceWraps() async throws {
            try await Vivid.withWebcams(1) { nodes in
                // This control makes the driver start 128 frames before its sequence number wraps.
                try nodes[0].set("wrap_sequence_number")
                let run = try await watch(nodes[0], frames: 180) { _ in }
                let source = run.statistics.sources[0]
                #expect(source.drops[.sequenceGap] <= Int(run.stalled.inSeconds * 30), "\(source)")
                #expect(source.lastSequence.map { $0 > 140 && $0 < 400 } == true, "\(source)")
            }
        }

        @Test("row 25: timestamps of a clock that wraps are replaced by the moments of arrival, which is told once")
        func timestampsWrap() async throws {
            try await Vivid.withWebcams(1) { nodes in
                try nodes[0].set("wrap_timestamp", to: 2)
                var last = Timestamp.zero
                var isGrowing = true
                let picture = nodes[0].source(Self.size)
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                let run = try await SessionRun.watching(picture, tap, frames: 90) { _, frame, _ in
                    isGrowing = isGrowing && frame.timestamp > last
                    last = frame.timestamp
                }
                #expect(isGrowing)
                #expect(run.cameraEvents.map(\.event.word) == ["timestamps-estimated"], "\(run.cameraEvents)")
                let latency = try #require(run.statistics.latency)
                #expect(latency.p50 > .zero && latency.p50 < .milliseconds(200) + run.stalled)
            }
        }

        /// Composes one camera, calls `act` at each output frame, and expects every frame to be accounted for.
        private func watch(_ node: VideoNode, frames: Int, act: (Int) throws -> Void) async throws -> SessionRun {
            let picture = node.source(Self.size)
            let tap = FrameTap(.nv12, buffering: .newest(4))
            picture --> tap
            let run = try await SessionRun.watching(picture, tap, frames: frames) { number, _, _ in try act(number) }
            run.expectAccounted(run.statistics.sources[0])
            return run
        }
    }
}
