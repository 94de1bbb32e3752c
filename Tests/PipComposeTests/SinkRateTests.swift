import PipConcurrency
import PipPatterns
import PipTestSupport
import Synchronization
import Testing

@testable import PipCompose

@Suite("The work for outputs of lower rates")
struct SinkRateTests {
    /// A sink that calls a function on the render thread for each frame, one a second.
    private struct IntervalSink: Sink {
        let take: @Sendable () -> Void

        var label: String { "interval" }
        var interval: Duration? { .seconds(1) }
        var opening: SinkOpening {
            SinkOpening { () throws(SinkError) in
                SinkRequest(format: .nv12)
            } open: { [take] _ throws(SinkError) in
                Receiver(take: take)
            }
        }

        private struct Receiver: FrameReceiver {
            let take: @Sendable () -> Void

            var statistics: OutputStatistics { OutputStatistics(name: "interval") }

            func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
                take()
                return true
            }

            func finish(by deadline: Timestamp) async -> Bool { true }
        }
    }

    @Test("a frame that is taken at intervals is delivered before the next one is drawn, so that it is drawn once")
    func atIntervals() async throws {
        let source = PatternSource(.bars, size: smallSize)
        let log = Monitor<[Int]>([])
        let present = Mutex<Session?>(nil)
        source --> IntervalSink { log.update { $0.append(present.withLock { $0?.statistics.output.frames } ?? -1) } }
        var options = SessionOptions.offline
        options.clock = .rate(FrameRate(30))
        let session = try await Session(source, options: options)
        present.withLock { $0 = session }
        try await session.run(frames: 91)
        present.withLock { $0 = nil }
        // The statistics count a frame after the frames in flight have been delivered.
        #expect(log.read { $0 } == [0, 30, 60, 90])
    }

    /// The predicted cost of drawing for sinks, at 30 frames a second.
    private func cost(_ sinks: [any Sink]) async throws -> Double {
        let picture = Compositor {
            Layer(PatternSource(.scene, size: .hd720) --> Vignette(strength: 0.5))
            Layer(PatternSource(.scene, size: smallSize)).placed(.topRight, width: 0.25)
        }
        for sink in sinks { connect(picture, sink) }
        var options = SessionOptions.live(30)
        options.renderer = .cpu
        return try await Session(picture, options: options).predictedCost.renderCost
    }

    private func connect(_ picture: Compositor, _ sink: some Sink) { picture --> sink }

    @Test("the predicted cost falls with the rates of all outputs, and a step for several counts by the fastest")
    func predicted() async throws {
        let full = try await cost([NullSink(.nv12)])
        #expect(full > 0)
        let third = try await cost([NullSink(.nv12).limited(to: FrameRate(10))])
        #expect(abs(third / full - 1.0 / 3) < 1e-6, "\(third / full)")
        let rare = try await cost([NullSink(.nv12).taken(every: .seconds(10))])
        #expect(abs(rare / full - 1.0 / 300) < 1e-6, "\(rare / full)")
        let shared = try await cost([NullSink(.nv12), NullSink(.nv12).limited(to: FrameRate(10))])
        #expect(abs(shared / full - 1) < 1e-6, "\(shared / full)")
        let both = try await cost([NullSink(.nv12), NullSink(.rgba)])
        let mixed = try await cost([NullSink(.nv12), NullSink(.rgba).limited(to: FrameRate(10))])
        #expect(mixed > both / 3 && mixed < both, "\(mixed) \(both)")
    }
}
