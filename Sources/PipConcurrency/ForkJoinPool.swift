/// Work whose parts may be done on several threads at a time.
package protocol DividedWork: AnyObject, Sendable {
    /// Does a part, counted from 0.
    func run(part: Int)
}

/// Threads that do the parts of a piece of work together with the calling thread.
///
/// One thread calls ``run(_:parts:)``, with one piece of work after the other. A part goes to the same thread each
/// time, whose cache holds its memory, unless that thread is late. A piece of work allocates nothing.
package final class ForkJoinPool: Sendable {
    private let job: Monitor<Job>
    /// The number of parts of the current work that the pool's threads have done.
    private let done: Monitor<Int>
    private let threads: [WorkerThread]
    /// The number of working threads, including the caller of ``run(_:parts:)``.
    package var count: Int { threads.count + 1 }

    /// Starts one thread less than there will be working threads.
    ///
    /// - Parameters:
    ///   - count: The number of working threads, including the caller of ``run(_:parts:)``.
    ///   - name: The threads' name in `top -H`; 15 bytes at most.
    ///   - clock: The clock of the caller of ``run(_:parts:)``.
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

    /// Does all parts of a piece of work, and returns when they are done.
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

    /// A piece of work, and the parts of it that were begun.
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
            assert(self.work == nil, "one thread gives it work, one piece after the other")
            self.work = work
            isBegun.removeAll(keepingCapacity: true)
            for _ in 0..<parts { isBegun.append(false) }
        }

        mutating func end() { work = nil }

        /// The next part of a thread; nil while there is none.
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
