import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("Cameras whose rate is not the output's, or not what was promised")
    struct RateTests {
        private static let size = PixelSize(320, 180)

        @Test(
            "row 30: one that halves its rate is told with what may help, then that it is back; the output keeps its rate"
        )
        func halves() async throws {
            try await Vivid.withWebcams { nodes in
                var said: [(word: String, number: Int)] = []
                let run = try await watch(nodes, FrameRate(30), frames: 510) { number, session in
                    if number == 90 { try nodes[1].setRate(FrameRate(15)) }
                    if number == 300 { try nodes[1].setRate(FrameRate(30)) }
                    let words = session.statistics.sources[1].events.filter { $0.contains("delivers") }
                    if words.count > said.count, let word = words.last { said.append((word, number)) }
                }
                #expect(run.cameraEvents.map(\.event.word) == ["degraded", "recovered"], "\(run.cameraEvents)")
                let told = try #require(said.first)
                #expect(told.word.contains("of 30 frames a second"))
                // The session reports the rate after five seconds, and stalls of the host prolong this time.
                let frames = told.number - 90
                #expect(Double(frames) <= 150 + 30 * run.stalled.inSeconds, "\(frames)")
                expectOutput(run, frames: 510)
                FaultReport.record(
                    row: 30,
                    figures: "told after \(frames) output frames; \(run.statistics.output.missed) of 510 missed")
            }
        }

        @Test(
            "row 31: one that is twice as fast as the output, or delivers two frames a second, costs no latency",
            arguments: [60, 2])
        func otherRate(rate: Int) async throws {
            try await Vivid.withWebcams { nodes in
                let run = try await watch(nodes, FrameRate(rate), frames: 240) { _, _ in }
                let inset = run.statistics.sources[1]
                let seconds = (8 - run.stalled.inSeconds)
                if rate > 30 {
                    // Each output frame shows one frame of the camera, and the camera's other frames are late.
                    #expect(inset.used <= 241 && inset.drops[.late] > 100, "\(inset)")
                } else {
                    #expect(Double(inset.used) >= seconds * 2 - 3 && inset.drops.total <= 1, "\(inset)")
                }
                expectOutput(run, frames: 240)
                let latency = try #require(run.statistics.latency)
                // The limit of p50 is two periods and 10 ms, because one processor also draws. A queue of frames would
                // exceed the limit.
                #expect(
                    latency.p50 <= .milliseconds(77) && latency.p99 - run.stalled <= .milliseconds(300), "\(latency)")
                FaultReport.record(
                    row: 31,
                    figures:
                        "\(rate) a second: latency p50 \(latency.p50.milliseconds) ms, p99 \(latency.p99.milliseconds) ms"
                )
            }
        }

        private func watch(
            _ nodes: [VideoNode], _ rate: FrameRate, frames: Int, _ act: (Int, Session) throws -> Void
        ) async throws -> SessionRun {
            let (main, inset) = (nodes[0].source(Self.size), nodes[1].source(Self.size, rate))
            let picture = Compositor {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.25, margin: 8)
            }
            let tap = FrameTap(.nv12, buffering: .newest(4))
            picture --> tap
            return try await SessionRun.watching(picture, tap, frames: frames) { number, _, session in
                try act(number, session)
            }
        }

        private func expectOutput(_ run: SessionRun, frames: Int) {
            #expect(run.statistics.output.missed <= 4 + Int(run.stalled.inSeconds * 30), "\(run.statistics.output)")
            #expect(run.statistics.output.frames >= frames)
            for source in run.statistics.sources { run.expectAccounted(source) }
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int((inSeconds * 1000).rounded()) }
}
