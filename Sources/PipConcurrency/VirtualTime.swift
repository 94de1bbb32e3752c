internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// A time for tests that stands still while any participant works, and jumps ahead while all participants wait.
///
/// Time jumps to the earliest deadline for which a thread or a task waits. Participants are the threads that were
/// started with a clock of this time, and the jobs of ``VirtualPool``. A participant is busy until it waits through the
/// clock (``Monitor``, ``BoundedQueue``, ``ThreadExecutor``, ``Interruption``, `MonotonicClock.sleep`). All else that
/// a participant does, such as drawing or writing a file, takes no time.
///
/// Work that is handed over counts as busy at once: a woken thread is busy before its waker can wait, and a new thread
/// is busy before it runs. So time never jumps ahead of pending work.
///
/// Other threads may also wait, and may wake participants, but time does not stand still for their work.
package final class VirtualTime: Sendable {
    /// A thread that waits in virtual time.
    final class Sleeper: Sendable {
        /// The time at which the thread wakes by itself; nil for never.
        let deadline: Timestamp?
        /// The descriptors, with their events, that also wake the thread.
        let watches: [(descriptor: Int32, events: Int16)]
        /// Wakes the thread.
        ///
        /// Called while the virtual time's lock is held, so the closure may take no lock but its own.
        let wake: @Sendable () -> Void

        init(
            deadline: Timestamp?, watches: [(descriptor: Int32, events: Int16)] = [],
            wake: @escaping @Sendable () -> Void
        ) {
            self.deadline = deadline
            self.watches = watches
            self.wake = wake
        }

        /// True when one of the descriptors is ready.
        var isReady: Bool {
            guard !watches.isEmpty else { return false }
            var polled = watches.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            return unsafe poll(&polled, nfds_t(polled.count), 0) > 0
        }
    }

    /// A task that sleeps in virtual time.
    private struct SleepingTask {
        var deadline: Timestamp
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Timestamp(nanoseconds: 1_000_000_000_000)
        /// The number of busy participants, plus the number of holds.
        var busy = 0
        /// The `pthread_self()` of each participating thread.
        var threads: Set<UInt> = []
        /// The waiting threads; `isParticipant` is false for a thread for which time does not stand still.
        var sleepers: [ObjectIdentifier: (sleeper: Sleeper, isParticipant: Bool)] = [:]
        /// The threads that were woken before they had begun to wait.
        var woken: Set<ObjectIdentifier> = []
        var sleepingTasks: [UInt64: SleepingTask] = [:]
        var lastTaskNumber: UInt64 = 0
    }

    private let state = Mutex(State())
    /// Deadlines from this time on are never reached, and stand for "for ever".
    private static let end = Timestamp(nanoseconds: .max / 2)

    /// Creates a virtual time without participants.
    package init() {}

    /// The present time, which begins at 1000 s.
    package var now: Timestamp { state.withLock { $0.now } }

    /// Runs an async function and all its child tasks as participants.
    ///
    /// Unstructured tasks take part if ``VirtualPool`` is their preferred executor.
    ///
    /// - Parameter body: The function, which receives the clock and the pool. All threads and tasks that it starts
    ///   should have ended when it returns.
    /// - Returns: The result of `body`.
    package static func run<R: Sendable>(
        _ body: (MonotonicClock, VirtualPool) async throws -> R
    ) async rethrows -> R {
        let clock = MonotonicClock(VirtualTime())
        let pool = VirtualPool(clock)
        defer { pool.stop() }
        return try await withTaskExecutorPreference(pool) {
            // A nonisolated function begins on its caller's executor, and continues on the pool after a suspension.
            await Task.yield()
            return try await body(clock, pool)
        }
    }

    // MARK: Participants

    /// Keeps time from jumping until ``release()``, while work is on its way to a participant.
    package func hold() { state.withLock { $0.busy += 1 } }

    /// Ends one ``hold()``, after which time may jump.
    package func release() { passTime { $0.busy -= 1 } }

    /// Makes the calling thread a participant, which replaces the hold that the thread's creator took.
    func join() { _ = state.withLock { $0.threads.insert(UInt(pthread_self())) } }

    /// Ends the participation of the calling thread.
    func leave() {
        passTime { state in
            state.threads.remove(UInt(pthread_self()))
            state.busy -= 1
        }
    }

    // MARK: Waiting

    /// Counts the calling thread as waiting.
    ///
    /// If the result is true, the caller must block until `sleeper` is woken.
    ///
    /// - Returns: True when the thread must wait; false when it has been woken already.
    func begin(_ sleeper: Sleeper) -> Bool {
        let isParticipant = state.withLock { $0.threads.contains(UInt(pthread_self())) }
        var isWaiting = false
        passTime { state in
            guard state.woken.remove(ObjectIdentifier(sleeper)) == nil else { return }
            isWaiting = true
            state.sleepers[ObjectIdentifier(sleeper)] = (sleeper, isParticipant)
            if isParticipant { state.busy -= 1 }
        }
        return isWaiting
    }

    /// Wakes a thread, or keeps it from waiting if it has not begun to wait.
    ///
    /// A participant counts as busy from now on.
    func wake(_ sleeper: Sleeper) {
        state.withLock { state in
            if !Self.wake(ObjectIdentifier(sleeper), in: &state) {
                state.woken.insert(ObjectIdentifier(sleeper))
            }
        }
    }

    /// Counts the calling thread as busy again, for whatever reason it woke.
    func end(_ sleeper: Sleeper) {
        state.withLock { state in
            _ = Self.wake(ObjectIdentifier(sleeper), in: &state)
            state.woken.remove(ObjectIdentifier(sleeper))
        }
    }

    /// Suspends the task until a deadline in virtual time; throws `CancellationError` when the task is cancelled.
    func sleep(until deadline: Timestamp) async throws {
        let number = state.withLock { state in
            state.lastTaskNumber += 1
            return state.lastTaskNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                var outcome: Result<Void, any Error>?
                passTime { state in
                    if Task.isCancelled {
                        outcome = .failure(CancellationError())
                    } else if deadline <= state.now {
                        outcome = .success(())
                    } else {
                        state.sleepingTasks[number] = SleepingTask(deadline: deadline, continuation: continuation)
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let task = state.withLock { $0.sleepingTasks.removeValue(forKey: number) }
            task?.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: Time

    /// Changes the state.
    ///
    /// If all participants then wait, time jumps to the earliest deadline.
    private func passTime(_ change: (inout State) -> Void) {
        var due = state.withLock { state in
            change(&state)
            return Self.advance(&state)
        }
        // Tasks are resumed outside the lock, because their executor takes locks. The hold that `advance` took keeps
        // time from jumping meanwhile.
        while !due.isEmpty {
            for continuation in due { continuation.resume() }
            due = state.withLock { state in
                state.busy -= 1
                return Self.advance(&state)
            }
        }
    }

    /// Makes time jump while no participant is busy.
    ///
    /// - Returns: The tasks to resume. If there are any, this function has taken a hold for them.
    private static func advance(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
        while state.busy == 0 {
            // Data that a participant wrote to a pipe before it began to wait must be read first.
            let ready = state.sleepers.values.filter(\.sleeper.isReady).map { ObjectIdentifier($0.sleeper) }
            for sleeper in ready { _ = wake(sleeper, in: &state) }
            if !ready.isEmpty { continue }
            let deadlines =
                state.sleepers.values.compactMap(\.sleeper.deadline) + state.sleepingTasks.values.map(\.deadline)
            guard let next = deadlines.min(), next < Self.end else { break }
            let now = max(state.now, next)
            state.now = now
            let isDue = { (deadline: Timestamp?) in deadline.map { $0 <= now } ?? false }
            for (key, entry) in state.sleepers where isDue(entry.sleeper.deadline) { _ = wake(key, in: &state) }
            let sleepingTasks = state.sleepingTasks.filter { isDue($0.value.deadline) }.sorted { $0.key < $1.key }
            for (key, _) in sleepingTasks { state.sleepingTasks[key] = nil }
            if !sleepingTasks.isEmpty {
                state.busy += 1
                return sleepingTasks.map(\.value.continuation)
            }
        }
        return []
    }

    /// Wakes a waiting thread.
    ///
    /// - Returns: True when the thread was waiting.
    private static func wake(_ key: ObjectIdentifier, in state: inout State) -> Bool {
        guard let (sleeper, isParticipant) = state.sleepers.removeValue(forKey: key) else { return false }
        if isParticipant { state.busy += 1 }
        sleeper.wake()
        return true
    }
}

/// The cooperative pool of a ``VirtualTime``: one thread, which runs jobs in the order in which they were enqueued.
///
/// A job counts as busy from the time it is enqueued until it suspends.
package final class VirtualPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopping = false
    }
    private let state: Monitor<State>

    /// Starts the pool's thread.
    ///
    /// - Parameter clock: A clock of the virtual time.
    package init(_ clock: MonotonicClock) {
        state = Monitor(State(), clock: clock)
        _ = WorkerThread(name: "virtual-pool", clock: clock) { [self] in run() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.update { $0.jobs.append(job) }
    }

    /// Makes the thread end as soon as no job is waiting.
    package func stop() { state.update { $0.isStopping = true } }

    private func run() {
        let next = { (state: inout State) -> UnownedJob?? in
            if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
            return state.isStopping ? .some(nil) : nil
        }
        while let job = state.wait(next) ?? nil { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
