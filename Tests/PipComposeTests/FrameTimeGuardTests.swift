import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Frames that take too long to draw", .serialized, .timeLimit(.minutes(5)))
struct FrameTimeGuardTests {
    /// A render loop of 30 frames a second on a simulated clock, with at most three frames in flight.
    private struct Loop {
        var guarding = FrameTimeGuard(shadesOnCPU: true)
        var now = Timestamp(nanoseconds: 1_000_000_000)
        var used = Duration.zero
        /// The times at which the frames in flight will be ready.
        var ready: [Timestamp] = []
        var found: [(work: Duration, at: Timestamp)] = []

        /// Draws frames for `seconds` seconds.
        ///
        /// Each frame takes `work`, and while a frame is in flight, the processors are busy for `share` of the time.
        mutating func run(_ seconds: Double, work: Duration, share: Double = 1, blocks: Bool = false) {
            let end = now.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
            while now < end {
                let (start, before) = (now, used)
                if ready.count < 3 {
                    guarding.frameDrawn(from: now, used: used)
                    ready.append(max(now, ready.last ?? now).advanced(by: work))
                }
                // A blocking loop waits for its frame, and another loop for at most half a period.
                pass(blocks ? work : min(work, .milliseconds(16)), share)
                while let first = ready.first, first <= now {
                    ready.removeFirst()
                    guarding.frameReady(at: now, used: used)
                }
                if let work = guarding.tickEnded(from: start, at: now, usedAtStart: before, used: used) {
                    found.append((work, now))
                }
                pass(max(.zero, .milliseconds(33) - start.duration(to: now)), ready.isEmpty ? 0 : share)
            }
        }

        private mutating func pass(_ time: Duration, _ share: Double) {
            now = now.advanced(by: time)
            used += .nanoseconds(Int64(Double(time.nanoseconds) * share))
        }
    }

    @Test(
        "row 42: three frames of a second each are noticed, whether the loop waits for the frames or not",
        arguments: [true, false])
    func slow(blocks: Bool) throws {
        var loop = Loop()
        loop.run(5, work: .milliseconds(20), blocks: blocks)
        #expect(loop.found.isEmpty)
        let start = loop.now
        loop.run(20, work: .seconds(1), blocks: blocks)
        // A plan is reported once, until another plan draws.
        #expect(loop.found.count == 1)
        let found = try #require(loop.found.first)
        #expect(start.duration(to: found.at) <= .milliseconds(3200))
        #expect(abs((found.work - .seconds(1)).inSeconds) < 0.1, "\(found.work)")
        // Frames of an earlier plan that are still in flight do not count for the next plan.
        loop.guarding.planChanged(shadesOnCPU: true)
        loop.run(20, work: .milliseconds(20), blocks: blocks)
        #expect(loop.found.count == 1)
        loop.run(5, work: .seconds(1), blocks: blocks)
        #expect(loop.found.count == 2, "it is noticed again")
    }

    @Test("row 42: two slow frames, and frames on a busy machine, are not blamed on the plan")
    func innocent() {
        var loop = Loop()
        for _ in 0..<20 {
            loop.run(2, work: .seconds(1), blocks: true)
            loop.run(1, work: .milliseconds(20), blocks: true)
        }
        loop.run(60, work: .seconds(1), share: 0.2)
        loop.run(60, work: .milliseconds(200))
        #expect(loop.found.isEmpty, "\(loop.found)")
    }

    @Test("row 42: a frame whose completion is noticed late counts only with its certain duration")
    func lateLook() {
        var guarding = FrameTimeGuard(shadesOnCPU: true)
        var now = Timestamp(nanoseconds: 0)
        // One frame a second is drawn, and is ready soon after the first check.
        for second in 0..<20 {
            let (start, used) = (now, Duration.seconds(second))
            if second > 0 { guarding.frameReady(at: now, used: used) }
            guarding.frameDrawn(from: start, used: used)
            let end = now.advanced(by: .milliseconds(16))
            #expect(guarding.tickEnded(from: start, at: end, usedAtStart: used, used: used + .milliseconds(16)) == nil)
            now = now.advanced(by: .seconds(1))
        }
    }
}
