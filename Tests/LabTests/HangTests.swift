import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("A USB camera whose driver hangs")
    struct HangTests {
        @Test("row 7: is left behind after a second, the picture goes on, and the end is not kept waiting")
        func hangs() async throws {
            let pictures = try Pictures()
            let red = try pictures.file("red.mjpeg", try await pictures.plain(.red))
            let blue = try pictures.file("blue.mjpeg", try await pictures.plain(.blue))
            try await USBCamera.withCameras([red, blue]) { cameras in
                let picture = Compositor {
                    Layer(cameras[0].source())
                    Layer(cameras[1].source()).placed(.topRight, width: 0.25, margin: 24).whenMissing(.hide)
                }
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                let stalls = HostStalls()
                let clock = MonotonicClock()
                var last = clock.now
                var shown = false
                let run = try await SessionRun.watching(picture, tap, frames: 240) { number, frame, _ in
                    if number == 60 { try cameras[1].tell("hang") }
                    last = clock.now
                    shown = frame.shows(.blue, x: 1096, y: 60, within: 6)
                }
                let took = last.duration(to: run.ended) - stalls.total(from: last, to: run.ended)
                #expect(took <= .seconds(3), "\(took)")
                #expect(!shown, "its last frame is still there")
                #expect(run.cameraEvents.allSatisfy { $0.name == cameras[1].path }, "\(run.cameraEvents)")
                let losses = run.cameraEvents.compactMap { if case .lost(let error) = $0.event { error } else { nil } }
                #expect(losses.map(\.kind) == [.hanging], "\(run.cameraEvents)")
                let waits = run.cameraEvents.filter { $0.event.word == "waiting" }.map { "\($0.event)" }
                #expect(waits.allSatisfy { $0.contains("unplug the camera") }, "\(waits)")
                #expect(run.statistics.output.missed <= 4 + Int(run.stalled.inSeconds * 30), "\(run.statistics.output)")
                #expect(run.statistics.sources[0].drops[.sequenceGap] == 0)
                FaultReport.record(
                    row: 7,
                    figures: "one that really hangs: \(run.statistics.output.missed) of 240 moments missed, "
                        + "over after \((took.inSeconds * 10).rounded() / 10) s")
            }
        }
    }
}
