#if Media
import PipConcurrency
import PipFrames
import PipSinks
import PipTestSupport
import SystemPackage
import Testing

@testable import PipMedia

extension VideoEncoderTests {
    @Test("a full disk ends a recording, and the written file is complete")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let output = EncodedFrames(try encoder(), capacity: 100, waits: true)
        var plan = MovieLoop.Plan(
            names: try FileNames(folder.path("a.mp4")), container: .mp4, codec: .h264, overwrites: false, keep: nil,
            onFull: .stop)
        // The reserve is so large that the disk seems full.
        (plan.reserve.stopBelow, plan.reserve.stopDivisor, plan.syncInterval) = (.max, 1, .zero)
        let errors = Monitor<[SinkError]>([])
        let loop = MovieLoop(plan, output.feed, until: Interruption(), onEvent: { _ in }) { error in
            errors.update { $0.append(error) }
        }
        _ = WorkerThread(name: "test") { loop.run() }
        // The loop checks the disk only when data has reached it, and the muxer may hold the first seconds.
        var number = 0
        while errors.read(\.isEmpty), number < 3000 {
            submit(number, to: [output])
            number += 1
        }
        output.finish(by: .distantFuture)
        #expect(
            loop.state.wait(until: MonotonicClock().now.advanced(by: .seconds(20))) { $0.isDone ? true : nil } == true)
        let reasons = errors.read { $0.map(\.errno) }
        #expect(reasons == [Errno.noSpace])
        let statistics = loop.state.read { $0.statistics }
        #expect(statistics.written > 0)
        #expect(try Probe(folder.path("a.mp4")).frames == statistics.written)
    }

    @Test("a recording waits for space on a full disk on request, and continues in a new file")
    func waitsForDisk() throws {
        let folder = try TemporaryFolder()
        let output = EncodedFrames(try encoder(), capacity: 100, waits: true)
        var plan = MovieLoop.Plan(
            names: try FileNames(folder.path("a.mp4")), container: .mp4, codec: .h264, overwrites: false, keep: nil,
            onFull: .wait)
        (plan.reserve.stopBelow, plan.reserve.stopDivisor, plan.reserve.resumeAbove) = (.max, 1, 0)
        (plan.reserve.roomInterval, plan.syncInterval) = (.milliseconds(10), .zero)
        let events = Monitor<[String]>([])
        let loop = MovieLoop(plan, output.feed, until: Interruption()) { event in
            events.update { events in
                switch event {
                case .paused: events.append("paused")
                case .resumed(_, let path, _): events.append(String(path.suffix(7)))
                case .warning, .clip: break
                }
            }
        } onError: { _ in
        }
        _ = WorkerThread(name: "test") { loop.run() }
        // Parts begin often, so that the recording can soon continue in a new file.
        var number = 0
        while events.read({ $0.count < 2 }), number < 3000 {
            submit(number, to: [output], beginsPart: number % 10 == 0)
            number += 1
        }
        output.finish(by: .distantFuture)
        #expect(
            loop.state.wait(until: MonotonicClock().now.advanced(by: .seconds(20))) { $0.isDone ? true : nil } == true)
        let told = events.read { $0 }
        #expect(told.count >= 2 && told[0] == "paused" && told[1].hasSuffix(".mp4"), "\(told)")
        #expect(try Probe(folder.path("a.mp4")).frames > 0)
    }
}
#endif
