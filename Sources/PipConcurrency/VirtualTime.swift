internal import CPlatform
internal import Glibc
package import PipFrames
internal import Synchronization

/// Time that passes only while everybody waits: then at once, to the next moment that somebody waits for.
///
/// Participants are the threads that were started with a clock of this time, and the jobs of ``pool``. A participant is
/// busy until it waits through the clock (``Monitor``, ``BoundedQueue``, ``ThreadExecutor``, ``Interruption``,
/// `MonotonicClock.sleep`); whatever it does meanwhile, be it a draw or a file's write, takes no time. Work that is
/// handed over counts from the moment of handing over: who is woken is busy before its waker can wait, and a thread
/// before it runs. So time never runs ahead of work that is under way.
///
/// Whoever is no participant may wait and wake others, but time does not wait for it.
package final class VirtualTime: Sendable {
    /// A thread in a wait.
    final class Sleeper: Sendable {
        /// When it wakes by itself.
        let deadline: Timestamp?
        /// Descriptors, each with its events, that wake it too.
        let watches: [(descriptor: Int32, events: Int16)]
        /// Wakes the thread; called with the time's lock held, and so must take no lock but its own.
        let wake: @Sendable () -> Void

        init(
            deadline: Timestamp?, watches: [(descriptor: Int32, events: Int16)] = [],
            wake: @escaping @Sendable () -> Void
        ) {
            self.deadline = deadline
            self.watches = watches
            self.wake = wake
        }

        /// True when one of its descriptors is ready.
        var isReady: Bool {
            guard !watches.isEmpty else { return false }
            var polled = watches.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            return unsafe poll(&polled, nfds_t(polled.count), 0) > 0
        }
    }

    /// A task in a sleep.
    private struct Dozer {
        var deadline: Timestamp
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Timestamp(nanoseconds: 1_000_000_000_000)
        /// Participants that do not wait, and holds.
        var busy = 0
        /// `pthread_self()` of the participating threads.
        var threads: Set<UInt> = []
        /// Those that wait, and whether they are participants.
        var sleepers: [ObjectIdentifier: (sleeper: Sleeper, isParticipant: Bool)] = [:]
        /// Those that were woken before they came to wait.
        var woken: Set<ObjectIdentifier> = []
        var dozers: [UInt64: Dozer] = [:]
        var lastDozer: UInt64 = 0
    }

    private let state = Mutex(State())
    /// Deadlines from here on are never reached: "for ever", or a moment before.
    private static let end = Timestamp(nanoseconds: .max / 2)

    /// Creates a time with nobody in it.
    package init() {}

    /// The present.
    package var now: Timestamp { state.withLock { $0.now } }

    /// Runs an async function and all its child tasks as participants.
    ///
    /// Unstructured tasks that are to take part are started with ``VirtualPool`` as their preferred executor.
    ///
    /// - Parameter body: Gets the clock and the pool. Whoever it has started should have ended when it returns.
    /// - Returns: Its result.
    package static func run<R: Sendable>(
        _ body: (MonotonicClock, VirtualPool) async throws -> R
    ) async rethrows -> R {
        let clock = MonotonicClock(VirtualTime())
        let pool = VirtualPool(clock)
        defer { pool.stop() }
        return try await withTaskExecutorPreference(pool) {
            // A nonisolated function begins where its caller is; what follows a suspension is on the pool.
            await Task.yield()
            return try await body(clock, pool)
        }
    }

    // MARK: Participants

    /// Keeps time from passing until ``release()``: for work that is on its way to a participant.
    package func hold() { state.withLock { $0.busy += 1 } }

    /// Lets time pass again, as far as the caller of ``hold()`` is concerned.
    package func release() { passTime { $0.busy -= 1 } }

    /// Makes the calling thread a participant, which takes a hold over.
    func join() { _ = state.withLock { $0.threads.insert(UInt(pthread_self())) } }

    /// Ends the calling thread's participation.
    func leave() {
        passTime { state in
            state.threads.remove(UInt(pthread_self()))
            state.busy -= 1
        }
    }

    // MARK: Waiting

    /// Notes that the calling thread waits from now on; it blocks in a way of its own until it is woken.
    ///
    /// - Returns: True when it has to wait. False when it was woken before.
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

    /// Wakes a thread, or keeps one that is about to wait from doing so; busy from now on.
    func wake(_ sleeper: Sleeper) {
        state.withLock { state in
            if !Self.wake(ObjectIdentifier(sleeper), in: &state) {
                state.woken.insert(ObjectIdentifier(sleeper))
            }
        }
    }

    /// Notes that the calling thread does not wait any more, whatever woke it.
    func end(_ sleeper: Sleeper) {
        state.withLock { state in
            _ = Self.wake(ObjectIdentifier(sleeper), in: &state)
            state.woken.remove(ObjectIdentifier(sleeper))
        }
    }

    /// Suspends until a moment.
    func sleep(until deadline: Timestamp) async throws {
        let number = state.withLock { state in
            state.lastDozer += 1
            return state.lastDozer
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
                        state.dozers[number] = Dozer(deadline: deadline, continuation: continuation)
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let dozer = state.withLock { $0.dozers.removeValue(forKey: number) }
            dozer?.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: Time

    /// Changes the state; if everybody waits then, moves on to the next moment that somebody waits for.
    private func passTime(_ change: (inout State) -> Void) {
        var due = state.withLock { state in
            change(&state)
            return Self.advance(&state)
        }
        // A task is resumed without the lock, since its executor takes others; the hold of `advance` covers it
        // meanwhile.
        while !due.isEmpty {
            for continuation in due { continuation.resume() }
            due = state.withLock { state in
                state.busy -= 1
                return Self.advance(&state)
            }
        }
    }

    /// Moves on while nobody is busy.
    ///
    /// - Returns: Tasks to be resumed; if there are any, with a hold.
    private static func advance(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
        while state.busy == 0 {
            // What was written to a pipe before its writer began to wait has to be read first.
            let ready = state.sleepers.values.filter(\.sleeper.isReady).map { ObjectIdentifier($0.sleeper) }
            for sleeper in ready { _ = wake(sleeper, in: &state) }
            if !ready.isEmpty { continue }
            let deadlines = state.sleepers.values.compactMap(\.sleeper.deadline) + state.dozers.values.map(\.deadline)
            guard let next = deadlines.min(), next < Self.end else { break }
            let now = max(state.now, next)
            state.now = now
            let isDue = { (deadline: Timestamp?) in deadline.map { $0 <= now } ?? false }
            for (key, entry) in state.sleepers where isDue(entry.sleeper.deadline) { _ = wake(key, in: &state) }
            let dozers = state.dozers.filter { isDue($0.value.deadline) }.sorted { $0.key < $1.key }
            for (key, _) in dozers { state.dozers[key] = nil }
            if !dozers.isEmpty {
                state.busy += 1
                return dozers.map(\.value.continuation)
            }
        }
        return []
    }

    /// Wakes a thread that waits.
    ///
    /// - Returns: True when it waited.
    private static func wake(_ key: ObjectIdentifier, in state: inout State) -> Bool {
        guard let (sleeper, isParticipant) = state.sleepers.removeValue(forKey: key) else { return false }
        if isParticipant { state.busy += 1 }
        sleeper.wake()
        return true
    }
}

/// The cooperative pool of a ``VirtualTime``: one thread, so that its jobs run in the order in which they came.
///
/// A job is busy from when it is enqueued until it suspends.
package final class VirtualPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopping = false
    }
    private let state: Monitor<State>

    /// Starts the thread.
    ///
    /// - Parameter clock: Of the virtual time.
    package init(_ clock: MonotonicClock) {
        state = Monitor(State(), clock: clock)
        _ = WorkerThread(name: "virtual-pool", clock: clock) { [self] in run() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.update { $0.jobs.append(job) }
    }

    /// Ends the thread after the jobs that are waiting.
    package func stop() { state.update { $0.isStopping = true } }

    private func run() {
        let next = { (state: inout State) -> UnownedJob?? in
            if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
            return state.isStopping ? .some(nil) : nil
        }
        while let job = state.wait(next) ?? nil { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
