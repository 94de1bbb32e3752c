import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("The machine sleeps while cameras run", .inVirtualTime)
    struct SleepTests {
        private static let size = PixelSize(640, 360)
        private static let period = FrameRate(30).interval.inSeconds

        @Test("row 27: both cameras show the present within two seconds of its waking, the output keeps its rate")
        func halfAMinute() async throws {
            try await Vivid.withWebcams { nodes in
                try show(.red, .blue, on: nodes)
                let picture = Compositor {
                    Layer(nodes[0].source(Self.size))
                    Layer(nodes[1].source(Self.size)).placed(.topRight, width: 0.25, margin: 24)
                }
                let tap = FrameTap(.nv12, buffering: .newest(8))
                picture --> tap
                var moments: [Timestamp] = []
                var isPresent: [Bool] = []
                let run = try await SessionRun.watching(picture, tap, frames: 180) { number, frame, _ in
                    guard number >= 60 else { return }
                    moments.append(frame.timestamp)
                    isPresent.append(frame.shows(.blue, x: 100, y: 180) && frame.shows(.red, x: 536, y: 60))
                    if number == 60 {
                        try show(.blue, .red, on: nodes)
                        try MachineSleep.sleep(seconds: 30)
                    }
                }
                let first = try #require(isPresent.firstIndex(of: true), "the cameras never came back")
                let waking = moments[0].duration(to: moments[first]).inSeconds
                #expect(waking <= 2 + run.stalled.inSeconds, "\(waking) s")
                #expect(!isPresent[first...].contains(false), "a frame of before came after one of the present")
                let gaps = zip(moments, moments.dropFirst()).map { $0.duration(to: $1).inSeconds / Self.period }
                #expect(gaps.allSatisfy { (0.5..<4.5).contains($0) }, "periods: \(gaps)")
                #expect(
                    run.cameraEvents.map(\.name).sorted() == nodes.map(\.path)
                        && run.cameraEvents.allSatisfy { Self.isHalfAMinute($0.event) }, "\(run.cameraEvents)")
                FaultReport.record(
                    row: 27,
                    figures: "30 s of sleep: both show the present \((waking * 1000).rounded()) ms after waking")
            }
        }

        private func show(_ main: Vivid.Pattern, _ inset: Vivid.Pattern, on nodes: [VideoNode]) throws {
            try nodes[0].set(main)
            try nodes[1].set(inset)
        }

        private static func isHalfAMinute(_ event: CameraEvent) -> Bool {
            if case .slept(let duration) = event { abs(duration.inSeconds - 30) < 2 } else { false }
        }
    }
}
