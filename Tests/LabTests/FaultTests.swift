import Foundation
import PipCapture
import PipCompose
import Testing

extension CameraLab {
    @Suite("Frames that go wrong")
    struct FaultTests {
        private static let small = PixelSize(320, 180)

        @Test("row 16: with the driver's error flag are dropped, each counted as corrupted, and nothing else is")
        func flagged() async throws {
            try await Vivid.withWebcams { nodes in
                let run = try await watch(nodes.map { $0.source(Self.small) }) { number in
                    if [20, 40, 60].contains(number) { try nodes[0].set("inject_v4l2_buf_flag_error") }
                }
                #expect(run.statistics.sources[0].drops[.corrupted] == 3)
                #expect(run.statistics.sources[1].drops[.corrupted] == 0)
                expectGoesOn(run)
            }
        }

        @Test("row 23: that the driver loses are counted as gaps of the sequence")
        func lost() async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set("percentage_of_dropped_buffers", to: 30)
                let run = try await watch(nodes.map { $0.source(Self.small) }) { _ in }
                let drops = run.statistics.sources[0].drops
                #expect(drops[.sequenceGap] > 5)
                #expect(drops[.corrupted] == 0 && drops[.short] == 0)
                expectGoesOn(run)
            }
        }

        @Test("row 12: since the stream failed altogether are made up for by starting it again")
        func fatal() async throws {
            try await Vivid.withWebcams { nodes in
                let run = try await watch(nodes.map { $0.source(Self.small) }) { number in
                    if number == 30 { try nodes[1].set("inject_fatal_streaming_error") }
                }
                #expect(run.cameraEvents.count == 1)
                guard case .restarted? = run.cameraEvents.first?.event else {
                    Issue.record("not restarted: \(run.cameraEvents)")
                    return
                }
                #expect(run.statistics.sources[1].state == .closed)
                expectGoesOn(run)
            }
        }

        @Test("row 19: because a USB camera flags or cuts them are dropped")
        func usb() async throws {
            let pictures = try Pictures()
            let file = try pictures.file("a.mjpeg", try await pictures.scene(5, size: Self.small))
            // The driver hides damaged frames unless `nodrop` is set.
            try await USBCamera.withCameras([file], driver: ["nodrop=1"]) { cameras in
                let run = try await watch([cameras[0].source(Self.small)]) { number in
                    if number == 20 { try cameras[0].tell("error") }
                    if number == 50 { try cameras[0].tell("short") }
                }
                let drops = run.statistics.sources[0].drops
                #expect(drops[.corrupted] + drops[.short] == 2)
                expectGoesOn(run)
            }
        }

        @Test("row 20: because they hold garbage are dropped, and the whole ones between them shown")
        func garbage() async throws {
            let pictures = try Pictures()
            var scene = try await pictures.scene(4, size: Self.small)
            // The picture has its beginning and its end, but only half of its data.
            scene[2] = scene[2].prefix(scene[2].count / 2) + Data([0xff, 0xd9])
            let file = try pictures.file("a.mjpeg", scene)
            try await USBCamera.withCameras([file]) { cameras in
                let run = try await watch([cameras[0].source(Self.small)]) { _ in }
                let source = run.statistics.sources[0]
                let share = Double(source.drops[.corrupted]) / Double(source.delivered + source.drops[.corrupted])
                #expect(abs(share - 0.25) < 0.05, "\(source)")
                expectGoesOn(run)
            }
        }

        @Test("do not keep a camera that sends nothing any more from stopping at once")
        func frozen() async throws {
            let pictures = try Pictures()
            let file = try pictures.file("a.mjpeg", try await pictures.scene(2, size: Self.small))
            try await USBCamera.withCameras([file]) { cameras in
                let stalls = HostStalls()
                let clock = MonotonicClock()
                var stopped = clock.now
                let picture = cameras[0].source(Self.small)
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                let run = try await SessionRun.watching(picture, tap, frames: 60) { number, _, _ in
                    if number == 20 { try cameras[0].tell("freeze") }
                    stopped = clock.now
                }
                let took = stopped.duration(to: run.ended) - stalls.total(from: stopped, to: run.ended)
                #expect(took < .milliseconds(100))
            }
        }

        /// Composes one or two cameras for three seconds, and calls `act` at each output frame.
        private func watch(_ sources: [CameraSource], act: (Int) throws -> Void) async throws -> SessionRun {
            let picture = Compositor {
                for (index, source) in sources.enumerated() {
                    index == 0 ? Layer(source) : Layer(source).placed(.topRight, width: 0.25, margin: 8)
                }
            }
            let tap = FrameTap(.nv12, buffering: .newest(4))
            picture --> tap
            return try await SessionRun.watching(picture, tap, frames: 90) { number, _, _ in try act(number) }
        }

        /// Expects that the output missed at most two frames, except while the host did not run the guest, and that
        /// every camera frame is accounted for.
        private func expectGoesOn(_ run: SessionRun) {
            #expect(run.statistics.output.missed <= 2 + Int(run.stalled.inSeconds * 30))
            for source in run.statistics.sources { run.expectAccounted(source) }
        }
    }
}
