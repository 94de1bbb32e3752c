#if Media
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Pipelines", .timeLimit(.minutes(2)))
struct PipelineTests {
    @Test("a stream that has ended before it is read gives all its samples, and is at its end after the last")
    func ended() async throws {
        let pipeline = try Pipeline("videotestsrc num-buffers=3 ! video/x-raw,width=16,height=16 ! appsink name=out")
        let outlet = Outlet("out", of: pipeline)
        try pipeline.play()
        #expect(await becomes { if case .ended? = pipeline.nextMessage() { true } else { false } })
        for _ in 0..<3 {
            let isAtEnd = outlet.isAtEnd
            #expect(!isAtEnd)
            let hasSample = outlet.pull(within: .seconds(10)) != nil
            #expect(hasSample)
        }
        let isAtEnd = outlet.isAtEnd
        #expect(isAtEnd)
        pipeline.stop()
    }
}
#endif
