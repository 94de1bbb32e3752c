import PipConcurrency
import PipFrames
import Synchronization
import Testing

/// Counts how often each part was done.
private final class CountedWork: DividedWork {
    let counts: Mutex<[Int]>
    private let isSlow: Bool

    init(_ parts: Int, isSlow: Bool = false) {
        counts = Mutex(Array(repeating: 0, count: parts))
        self.isSlow = isSlow
    }

    func run(part: Int) {
        // A slow part 0 waits until the other threads have done all other parts, but at most a minute.
        if isSlow && part == 0 {
            let end = MonotonicClock().now.advanced(by: .seconds(60))
            while counts.withLock({ $0[1...].contains(0) }) && MonotonicClock().now < end {}
        }
        counts.withLock { $0[part] += 1 }
    }
}

@Suite("A fork-join pool")
struct ForkJoinPoolTests {
    @Test("threads do each part of a work once, work after work", arguments: 1...5)
    func once(threads: Int) {
        let pool = ForkJoinPool(count: threads, name: "test")
        #expect(pool.count == threads)
        for round in 0..<200 {
            let work = CountedWork(round % 9)
            pool.run(work, parts: round % 9)
            #expect(work.counts.withLock { $0.allSatisfy { $0 == 1 } }, "\(round)")
        }
    }

    @Test("other threads take the parts of a thread that is late")
    func late() {
        let pool = ForkJoinPool(count: 2, name: "test")
        let work = CountedWork(8, isSlow: true)
        pool.run(work, parts: 8)
        #expect(work.counts.withLock { $0 } == Array(repeating: 1, count: 8))
    }

    @Test("a pool works in virtual time, which stands still meanwhile")
    func virtual() {
        let clock = MonotonicClock(VirtualTime())
        let done = Monitor(false)
        let thread = WorkerThread(name: "owner", clock: clock) {
            let pool = ForkJoinPool(count: 3, name: "test", clock: clock)
            let start = clock.now
            for _ in 0..<50 {
                let work = CountedWork(5)
                pool.run(work, parts: 5)
                #expect(work.counts.withLock { $0 } == [1, 1, 1, 1, 1])
            }
            #expect(clock.now == start)
            done.update { $0 = true }
        }
        #expect(done.wait { $0 ? true : nil } == true)
        thread.join()
    }
}
