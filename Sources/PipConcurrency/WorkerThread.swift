internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// A POSIX thread for work that blocks.
///
/// The owner waits for the thread's end with ``join(until:)``, ``joined()`` or ``joined(within:)``. Without such a
/// call, the thread goes on after the release of this object, and is detached.
package final class WorkerThread: Sendable {
    private enum State {
        case running([UInt64: CheckedContinuation<Bool, Never>])
        case finished
    }
    private let state: Monitor<State>
    /// The `pthread_t` until the thread is joined.
    ///
    /// Afterwards 0, as well as when no thread could be created.
    private let thread = Atomic<UInt>(0)
    private let waiters = Atomic<UInt64>(0)
    private let clock: MonotonicClock

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name in `top -H`; at most 15 bytes.
    ///   - clock: The clock by which the thread waits, and by which others wait for the thread's end.
    ///   - body: The thread's work. Runs on the calling thread if no thread can be created.
    package init(
        name: String, clock: MonotonicClock = MonotonicClock(), _ body: @escaping @Sendable () -> Void
    ) {
        let state = Monitor(State.running([:]), clock: clock)
        self.state = state
        self.clock = clock
        clock.virtual?.hold()
        let start = ThreadStart {
            unsafe pip_set_thread_name(name)
            clock.virtual?.join()
            defer { clock.virtual?.leave() }
            body()
            let waiting: [UInt64: CheckedContinuation<Bool, Never>] = state.update {
                guard case .running(let waiting) = $0 else { return [:] }
                $0 = .finished
                return waiting
            }
            for continuation in waiting.values { continuation.resume(returning: true) }
        }
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(start).toOpaque()
        let error = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
        guard error == 0 else {
            // The process can create no more threads, so the calling thread does the work.
            unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
            return
        }
        self.thread.store(UInt(thread), ordering: .releasing)
    }

    deinit {
        let thread = thread.load(ordering: .acquiring)
        if thread != 0 { pthread_detach(pthread_t(thread)) }
    }

    /// Blocks until the thread has ended.
    ///
    /// - Parameter deadline: The time at which the wait ends; nil for no deadline.
    /// - Returns: True when the thread has ended; false when the deadline has passed first.
    @discardableResult
    package func join(until deadline: Timestamp? = nil) -> Bool {
        let isFinished = state.wait(until: deadline) { state in if case .finished = state { true } else { nil } }
        guard isFinished == true else { return false }
        joinFinished()
        return true
    }

    /// Suspends until the thread has ended.
    package func joined() async {
        _ = await ended(waiter: nextWaiter())
        joinFinished()
    }

    /// Suspends until the thread has ended, but at most for `limit`.
    ///
    /// - Returns: True when the thread has ended. False when `limit` has passed first, or the calling task was
    ///   cancelled.
    package func joined(within limit: Duration) async -> Bool {
        let waiter = nextWaiter()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { [state, clock] in
                try? await clock.sleep(for: limit)
                let late = state.update { state -> CheckedContinuation<Bool, Never>? in
                    guard case .running(var waiting) = state else { return nil }
                    defer { state = .running(waiting) }
                    return waiting.removeValue(forKey: waiter)
                }
                late?.resume(returning: false)
            }
            let hasEnded = await ended(waiter: waiter)
            group.cancelAll()
            if hasEnded { joinFinished() }
            return hasEnded
        }
    }

    /// Runs blocking functions at the same time, each on its own thread.
    ///
    /// - Parameters:
    ///   - name: The threads' name in `top -H`; at most 15 bytes.
    ///   - clock: The clock by which the threads wait.
    ///   - work: The functions.
    /// - Returns: The results, in the order of the functions.
    package static func run<Value: Sendable>(
        name: String, clock: MonotonicClock, _ work: [@Sendable () -> Value]
    ) async -> [Value] {
        let results = Monitor([Int: Value](), clock: clock)
        let threads = work.enumerated().map { index, body in
            WorkerThread(name: name, clock: clock) {
                let value = body()
                results.update { $0[index] = value }
            }
        }
        for thread in threads { await thread.joined() }
        return results.read { results in work.indices.compactMap { results[$0] } }
    }

    private func nextWaiter() -> UInt64 { waiters.wrappingAdd(1, ordering: .relaxed).newValue }

    private func ended(waiter: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in
            let finished = state.update { state in
                guard case .running(var waiting) = state else { return true }
                waiting[waiter] = continuation
                state = .running(waiting)
                return false
            }
            if finished { continuation.resume(returning: true) }
        }
    }

    /// Joins a thread whose body has returned.
    ///
    /// Blocks until thread-specific destructors of libraries have run.
    private func joinFinished() {
        let thread = thread.exchange(0, ordering: .acquiringAndReleasing)
        if thread != 0 { pthread_join(pthread_t(thread), nil) }
    }
}

private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
