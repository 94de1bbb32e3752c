internal import CPlatform
internal import Glibc
package import PipFrames

/// A value guarded by a mutex, with a condition variable that signals changes of the value.
///
/// Waiting blocks the calling thread. A ``WorkerThread`` may wait; a thread of the cooperative pool must not.
@safe package final class Monitor<State>: @unchecked Sendable {
    // `lock` guards `state` and `sleepers`. Both pthread objects lie at a fixed address, as pthread requires.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var state: State
    private let virtual: VirtualTime?
    /// The threads that wait in virtual time.
    ///
    /// Threads in real time wait on `changed`.
    private var sleepers: [VirtualTime.Sleeper] = []

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - state: The initial value.
    ///   - clock: The clock by which deadlines count.
    package init(_ state: State, clock: MonotonicClock = MonotonicClock()) {
        self.state = state
        virtual = clock.virtual
        unsafe lock = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        unsafe pip_condition_init(changed)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(lock)
        unsafe changed.deallocate()
        unsafe lock.deallocate()
    }

    /// Changes the value, and wakes every waiting thread.
    package func update<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(lock)
        defer {
            wakeAll()
            unsafe pthread_mutex_unlock(lock)
        }
        return try body(&state)
    }

    /// Accesses the value without waking a thread.
    ///
    /// Use this method for changes that no thread waits for.
    package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body(&state)
    }

    /// Reads the value under the lock, without waking a thread.
    package func read<R, E: Error>(_ body: (borrowing State) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body(state)
    }

    /// Blocks until `body` returns a value; calls `body` under the lock, at once and each time the thread is woken.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the wait ends; nil for no deadline.
    ///   - body: Returns nil to continue waiting. `body` may change the value when it returns a result.
    /// - Returns: The result of `body`; nil when the deadline has passed first.
    package func wait<R>(until deadline: Timestamp? = nil, _ body: (inout State) -> R?) -> R? {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        while true {
            if let result = body(&state) {
                wakeAll()
                return result
            }
            if let virtual {
                if let deadline, virtual.now >= deadline { return nil }
                sleep(in: virtual, until: deadline)
            } else if let deadline {
                if unsafe pip_condition_wait_until(changed, lock, deadline.nanoseconds) == ETIMEDOUT {
                    let result = body(&state)
                    if result != nil { wakeAll() }
                    return result
                }
            } else {
                unsafe pthread_cond_wait(changed, lock)
            }
        }
    }

    /// Wakes every waiting thread.
    ///
    /// The caller must hold the lock.
    private func wakeAll() {
        unsafe pthread_cond_broadcast(changed)
        guard let virtual else { return }
        for sleeper in sleepers { virtual.wake(sleeper) }
        sleepers = []
    }

    /// Blocks in virtual time until a change or a deadline.
    ///
    /// The caller must hold the lock, which is released while the thread sleeps.
    private func sleep(in virtual: VirtualTime, until deadline: Timestamp?) {
        let isWoken = Monitor<Bool>(false)
        let sleeper = VirtualTime.Sleeper(deadline: deadline) { isWoken.update { $0 = true } }
        sleepers.append(sleeper)
        unsafe pthread_mutex_unlock(lock)
        if virtual.begin(sleeper) { _ = isWoken.wait { $0 ? true : nil } }
        unsafe pthread_mutex_lock(lock)
        sleepers.removeAll { $0 === sleeper }
        virtual.end(sleeper)
    }
}
