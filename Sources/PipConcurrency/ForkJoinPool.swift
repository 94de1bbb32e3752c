/// Work that is divided into parts, which several threads run at the same time.
package protocol DividedWork: AnyObject, Sendable {
    /// Runs one part; parts are numbered from 0.
    func run(part: Int)
}

/// Threads that run the parts of divided work together with the calling thread.
///
/// One thread calls ``run(_:parts:)``, for one piece of work after the other. The same thread runs a given part each
/// time, unless that thread is late, so that the part's memory is in that thread's cache. A call of ``run(_:parts:)``
/// allocates nothing, unless the work has more parts than any earlier work.
package final class ForkJoinPool: Sendable {
    private let job: Monitor<Job>
    /// The number of the current work's parts that the pool's own threads have finished.
    private let done: Monitor<Int>
    private let threads: [WorkerThread]
    /// The number of threads that run parts, including the caller of ``run(_:parts:)``.
    package var count: Int { threads.count + 1 }

    /// Starts `count` - 1 threads; the caller of ``run(_:parts:)`` is the last one.
    ///
    /// - Parameters:
    ///   - count: The number of threads that run parts, including the caller of ``run(_:parts:)``.
    ///   - name: The threads' name in `top -H`; at most 15 bytes.
    ///   - clock: The clock of the pool's threads, and of the thread that calls ``run(_:parts:)``.
    package init(count: Int, name: String, clock: MonotonicClock = MonotonicClock()) {
        let (job, done) = (Monitor(Job(threads: max(count, 1)), clock: clock), Monitor(0, clock: clock))
        (self.job, self.done) = (job, done)
        threads = (1..<max(count, 1)).map { thread in
            WorkerThread(name: name, clock: clock) {
                while case .part(let work, let part) = job.wait({ $0.next(thread) }) {
                    work.run(part: part)
                    done.update { $0 += 1 }
                }
            }
        }
    }

    deinit {
        job.update { $0.isEnding = true }
        for thread in threads { thread.join() }
    }

    /// Runs all parts of a piece of work, and returns when all have finished.
    package func run(_ work: any DividedWork, parts: Int) {
        done.withLock { $0 = 0 }
        job.update { $0.begin(work, parts) }
        var own = 0
        while case .part(let work, let part) = job.withLock({ $0.next(0) }) {
            work.run(part: part)
            own += 1
        }
        done.wait { $0 == parts - own ? () : nil }
        job.withLock { $0.end() }
    }

    /// A piece of work, with the parts that threads have begun.
    private struct Job {
        let threads: Int
        var isEnding = false
        private var work: (any DividedWork)?
        private var isBegun: [Bool] = []

        enum Next {
            case part(any DividedWork, Int)
            case end
        }

        init(threads: Int) { self.threads = threads }

        mutating func begin(_ work: any DividedWork, _ parts: Int) {
            assert(self.work == nil, "only one thread may call run(_:parts:), one call after the other")
            self.work = work
            isBegun.removeAll(keepingCapacity: true)
            for _ in 0..<parts { isBegun.append(false) }
        }

        mutating func end() { work = nil }

        /// The next part for a thread; nil while no part is left to begin, and ``Next/end`` when the pool is released.
        mutating func next(_ thread: Int) -> Next? {
            if isEnding { return .end }
            guard let work else { return nil }
            var part: Int?
            for index in isBegun.indices where !isBegun[index] {
                if index % threads == thread {
                    part = index
                    break
                }
                if part == nil { part = index }
            }
            guard let part else { return nil }
            isBegun[part] = true
            return .part(work, part)
        }
    }
}
