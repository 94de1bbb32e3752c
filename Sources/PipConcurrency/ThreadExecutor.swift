internal import CPlatform
internal import Glibc
package import PipFrames

/// One thread on which an actor's jobs run in order, and which can also call a function at given moments.
///
/// The recurring function is what a render loop needs: called on the actor's thread, at its deadline, without a heap allocation.
package final class ThreadExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var recurring: Recurring?
        var isStopping = false
    }

    /// A function and when it is next due.
    private struct Recurring {
        var due: Timestamp
        let body: @Sendable () -> Timestamp?
    }

    private enum Step {
        case job(UnownedJob)
        case call(@Sendable () -> Timestamp?)
        case stop
        /// The due time changed while it was waited for.
        case lookAgain
    }

    private let state = Monitor(State())
    private let clock = MonotonicClock()

    /// Starts the thread.
    ///
    /// - Parameter name: Shown by `top -H`; 15 bytes at most.
    package init(name: String) {
        // The thread ends by `stop()`; nobody needs to join it.
        _ = WorkerThread(name: name) { [self] in run() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.update { $0.jobs.append(job) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// Calls a function on the thread at `due`, and again at each moment that it returns, until it returns nil.
    ///
    /// There is one such function at a time; a new one takes the old one's place.
    package func callRepeatedly(from due: Timestamp, _ body: @escaping @Sendable () -> Timestamp?) {
        state.update { $0.recurring = Recurring(due: due, body: body) }
    }

    /// Makes the recurring function due now.
    package func callNow() {
        let now = clock.now
        state.update { state in
            if let due = state.recurring?.due, due > now { state.recurring?.due = now }
        }
    }

    /// Ends the thread after the jobs that are already waiting.
    package func stop() {
        state.update { $0.isStopping = true }
    }

    private func run() {
        while true {
            switch nextStep() {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            case .call(let body):
                let next = body()
                state.update { state in
                    // The function may have been replaced meanwhile; then the replacement's due time stands.
                    guard state.recurring?.due == .distantFuture else { return }
                    if let next { state.recurring?.due = next } else { state.recurring = nil }
                }
            case .stop: return
            case .lookAgain: continue
            }
        }
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
    /// Later than anything that happens.
    package static let distantFuture = Timestamp(nanoseconds: .max)
}
