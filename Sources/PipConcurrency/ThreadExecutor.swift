internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// A serial executor on a thread of its own, with one timer.
///
/// Jobs run in order. The timer's function serves a render loop: the executor calls the function on the thread at the
/// function's due time, without a heap allocation.
package final class ThreadExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var recurring: Recurring?
        var isStopping = false
        var last: (@Sendable () -> Void)?
    }

    /// The recurring function, and the time at which it is due next.
    private struct Recurring {
        /// The time of the next call; `distantFuture` while the function runs, unless a call is requested meanwhile.
        var due: Timestamp
        var isRunning = false
        let body: @Sendable () -> Timestamp?
    }

    private enum Step {
        case job(UnownedJob)
        case call(@Sendable () -> Timestamp?)
        case stop
        /// The due time has changed during the wait, so the thread must wait anew.
        case lookAgain
    }

    private let state: Monitor<State>
    /// The clock by which the recurring function is due.
    package let clock: MonotonicClock
    /// The thread's `pthread_self()`; 0 before the thread runs.
    private let thread = Atomic<UInt>(0)
    private let worker = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name in `top -H`; at most 15 bytes.
    ///   - clock: The clock by which the recurring function is due.
    package init(name: String, clock: MonotonicClock = MonotonicClock()) {
        self.clock = clock
        state = Monitor(State(), clock: clock)
        let started = WorkerThread(name: name, clock: clock) { [self] in run() }
        worker.withLock { $0 = started }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.update { $0.jobs.append(job) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// Calls a function on the thread at `due`, then at each time that the function returns, until it returns nil.
    ///
    /// Replaces an earlier recurring function.
    package func callRepeatedly(from due: Timestamp, _ body: @escaping @Sendable () -> Timestamp?) {
        replaceRecurring(with: Recurring(due: due, body: body))
    }

    /// Makes the recurring function due at once, or, while the function runs, as soon as it returns a time.
    package func callNow() {
        let now = clock.now
        state.update { state in
            if let due = state.recurring?.due, due > now { state.recurring?.due = now }
        }
    }

    /// Makes the thread end as soon as no job is waiting.
    ///
    /// - Parameter last: A function that the thread calls before it ends. When this method is called several times,
    ///   only the first function that was given is called.
    package func stop(last: (@Sendable () -> Void)? = nil) {
        state.update { state in
            state.isStopping = true
            if state.last == nil { state.last = last }
        }
    }

    /// Blocks until the thread has ended; call ``stop(last:)`` first.
    ///
    /// Must not be called on the executor's thread.
    ///
    /// - Parameter deadline: The time at which the wait ends.
    /// - Returns: True when the thread has ended; false when the deadline has passed first.
    @discardableResult
    package func join(until deadline: Timestamp) -> Bool {
        worker.withLock { $0 }?.join(until: deadline) ?? true
    }

    /// Suspends until the thread has ended; call ``stop(last:)`` first.
    package func stopped() async {
        await worker.withLock { $0 }?.joined()
    }

    /// True on the executor's thread, even within the recurring function, where no task of an actor runs.
    package func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Traps when the caller is not on the executor's thread.
    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the executor's thread")
    }

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        while true {
            switch nextStep() {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            case .call(let body):
                reschedule(body())
            case .stop:
                let last = state.update { state in
                    defer { state.last = nil }
                    return state.last
                }
                last?()
                return
            case .lookAgain: continue
            }
        }
    }

    /// Stores the due time that the recurring function has returned, or removes the function when it returned nil.
    private func reschedule(_ next: Timestamp?) {
        // A call may have replaced the function meanwhile; the replacement keeps its own due time.
        guard let next else { return replaceRecurring(with: nil) { $0?.isRunning == true } }
        state.update { state in
            guard let recurring = state.recurring, recurring.isRunning else { return }
            state.recurring?.due = min(recurring.due, next)
            state.recurring?.isRunning = false
        }
    }

    /// Replaces the recurring function.
    ///
    /// The old function is released outside the lock, because a `deinit` of its captures may enqueue a job.
    private func replaceRecurring(with new: Recurring?, if condition: (Recurring?) -> Bool = { _ in true }) {
        let old = state.update { state -> Recurring? in
            guard condition(state.recurring) else { return nil }
            let old = state.recurring
            state.recurring = new
            return old
        }
        withExtendedLifetime(old) {}
    }

    private func nextStep() -> Step {
        while true {
            let awaited = state.read { $0.recurring?.due }
            let step = state.wait(until: awaited == .distantFuture ? nil : awaited) { state -> Step? in
                if !state.jobs.isEmpty { return .job(state.jobs.removeFirst()) }
                if state.isStopping { return .stop }
                if let recurring = state.recurring, recurring.due <= self.clock.now {
                    state.recurring?.due = .distantFuture
                    state.recurring?.isRunning = true
                    return .call(recurring.body)
                }
                return state.recurring?.due == awaited ? nil : .lookAgain
            }
            switch step {
            case nil, .lookAgain?: continue
            case let step?: return step
            }
        }
    }
}

extension Timestamp {
    /// A time that is never reached.
    package static let distantFuture = Timestamp(nanoseconds: .max)
}
