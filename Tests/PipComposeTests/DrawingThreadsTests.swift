import PipFrames
import Testing

@testable import PipCompose

@Suite("The number of threads that draw")
struct DrawingThreadsTests {
    private static let interval = Duration.milliseconds(40)

    /// The thread counts after each of some frames that cost `whole` of processor time.
    private func counts(_ threads: inout DrawingThreads, whole: Duration, frames: Int) -> [Int] {
        (0..<frames).map { _ in
            _ = threads.frameDrawn(used: whole / threads.count, interval: Self.interval)
            return threads.count
        }
    }

    @Test("one thread draws while it needs at most half of the interval")
    func one() {
        var threads = DrawingThreads(nil, processors: 8)
        #expect(Set(counts(&threads, whole: .milliseconds(20), frames: 200)) == [1])
    }

    @Test(
        "threads are added to draw a frame in a quarter of the interval, as far as there are processors",
        arguments: [(21, 8, 3), (30, 8, 3), (31, 8, 4), (60, 8, 6), (60, 2, 2), (500, 16, 16), (60, 1, 1)])
    func more(milliseconds: Int, processors: Int, expected: Int) {
        var threads = DrawingThreads(nil, processors: processors)
        let counts = counts(&threads, whole: .milliseconds(milliseconds), frames: DrawingThreads.patience)
        #expect(counts.dropLast().allSatisfy { $0 == 1 } && counts.last == expected)
    }

    @Test("occasional slow frames add no threads")
    func outliers() {
        var threads = DrawingThreads(nil, processors: 8)
        for _ in 0..<50 {
            #expect(Set(counts(&threads, whole: .milliseconds(35), frames: DrawingThreads.patience - 1)) == [1])
            #expect(counts(&threads, whole: .milliseconds(15), frames: 1) == [1])
        }
    }

    @Test("threads are added when frames take longer, and removed when one is more than enough")
    func follows() {
        var threads = DrawingThreads(nil, processors: 16)
        #expect(counts(&threads, whole: .milliseconds(30), frames: DrawingThreads.patience).last == 3)
        #expect(Set(counts(&threads, whole: .milliseconds(60), frames: 100)) == [3])
        #expect(counts(&threads, whole: .milliseconds(90), frames: DrawingThreads.patience).last == 9)
        #expect(Set(counts(&threads, whole: .milliseconds(11), frames: 300)) == [9])
        let calm = counts(&threads, whole: .milliseconds(9), frames: DrawingThreads.calm)
        #expect(calm.dropLast().allSatisfy { $0 == 9 } && calm.last == 1)
    }

    @Test("a fixed number of threads does not change", arguments: [(-3, 1), (0, 1), (1, 1), (5, 5)])
    func fixed(wish: Int, expected: Int) {
        var threads = DrawingThreads(wish, processors: 8)
        #expect(threads.count == expected && !threads.adapts)
        #expect(Set(counts(&threads, whole: .seconds(1), frames: 200)) == [expected])
    }
}
