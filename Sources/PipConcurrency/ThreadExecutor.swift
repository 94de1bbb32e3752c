internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// A serial executor on a thread of its own, with one timer.
///
/// Jobs run in order. The recurring function serves a render loop: it is called on the executor's thread at its
/// deadline, without a heap allocation.
package final class ThreadExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var recurring: Recurring?
        var isStopping = false
        var last: (@Sendable () -> Void)?
    }

    /// The timer's function and its next due time.
    private struct Recurring {
        var due: Timestamp
        let body: @Sendable () -> Timestamp?
    }

    private enum Step {
        case job(UnownedJob)
        case call(@Sendable () -> Timestamp?)
        case stop
        /// The due time changed during the wait, which begins anew.
        case lookAgain
    }

    private let state: Monitor<State>
    /// The clock of the recurring function.
    package let clock: MonotonicClock
    /// `pthread_self()` of the thread; 0 before it runs.
    private let thread = Atomic<UInt>(0)
    private let worker = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name in `top -H`; 15 bytes at most.
    ///   - clock: The clock of the recurring function.
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

    /// Calls a function on the thread at `due`, then at each moment that it returns, until it returns nil.
    ///
    /// A new recurring function replaces the old one.
    package func callRepeatedly(from due: Timestamp, _ body: @escaping @Sendable () -> Timestamp?) {
        replaceRecurring(with: Recurring(due: due, body: body))
    }

    /// Makes the recurring function due now.
    package func callNow() {
        let now = clock.now
        state.update { state in
            if let due = state.recurring?.due, due > now { state.recurring?.due = now }
        }
    }

    /// Ends the thread after the jobs that are already waiting.
    ///
    /// - Parameter last: A function that is called on the thread before it ends. Of several, the first counts.
    package func stop(last: (@Sendable () -> Void)? = nil) {
        state.update { state in
            state.isStopping = true
            if state.last == nil { state.last = last }
        }
    }

    /// Blocks until the thread has ended, after ``stop()``.
    ///
    /// Must not be called on the thread itself.
    ///
    /// - Parameter deadline: The end of the wait.
    /// - Returns: True when the thread has ended.
    @discardableResult
    package func join(until deadline: Timestamp) -> Bool {
        worker.withLock { $0 }?.join(until: deadline) ?? true
    }

    /// Suspends until the thread has ended, after ``stop()``.
    package func stopped() async {
        await worker.withLock { $0 }?.joined()
    }

    /// True on the executor's thread, including within the recurring function, where no task of an actor runs.
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

    /// Stores the due time that the recurring function returned, or removes the function.
    private func reschedule(_ next: Timestamp?) {
        // The function may have been replaced meanwhile; then the replacement's due time stands.
        guard let next else { return replaceRecurring(with: nil) { $0?.due == .distantFuture } }
        state.update { if $0.recurring?.due == .distantFuture { $0.recurring?.due = next } }
    }

    /// Replaces the recurring function.
    ///
    /// The old function is released outside the lock: a `deinit` of its captures may enqueue a job.
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
    /// A moment later than anything that happens.
    package static let distantFuture = Timestamp(nanoseconds: .max)
}
