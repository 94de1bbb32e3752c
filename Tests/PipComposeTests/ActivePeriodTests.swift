import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Effects with an active period", .serialized, .timeLimit(.minutes(5)))
struct ActivePeriodTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("effects start and end exactly at the frames of their period, in a file frame by frame")
    func frameByFrame() async throws {
        let brighter = Brightness(0.2).active(from: .seconds(1), to: .seconds(2), fade: .milliseconds(300))
        let source = try folder.gray(100)
        source --> brighter
        let tap = FrameTap(.nv12, buffering: .newest(128))
        brighter --> tap
        let session = try await Session(brighter, options: .offline)
        let period = try #require(brighter.activePeriod)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            for number in 0..<90 {
                let frame = try #require(await frames.next())
                let expected = 100 + 219 * 0.2 * period.share(at: FrameRate(30).offset(ofFrame: number))
                #expect(abs(Double(frame.luma(5, 5)) - expected) <= 1.5, "frame \(number)")
            }
        }
    }
}
