internal import CPlatform
internal import Glibc
package import PipFrames

/// A value guarded by a mutex, with a condition variable for its changes.
///
/// Waiting blocks the calling thread: allowed on a ``WorkerThread``, never on the cooperative pool.
@safe package final class Monitor<State>: @unchecked Sendable {
    // `lock` guards `state`; both live at a fixed address, as pthread demands.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    package init(_ state: State) {
        self.state = state
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

    /// Changes the value and wakes every waiting thread.
    package func update<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(lock)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(lock)
        }
        return try body(&state)
    }

    /// Reads the value; wakes nobody.
    package func read<R, E: Error>(_ body: (borrowing State) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body(state)
    }

    /// Blocks until `body`, called under the lock now and after every change, returns a value.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait; nil waits for ever.
    ///   - body: The condition; it may change the state.
    /// - Returns: The value, or nil when the deadline passed first.
    package func wait<R>(until deadline: Timestamp? = nil, _ body: (inout State) -> R?) -> R? {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        while true {
            if let result = body(&state) {
                unsafe pthread_cond_broadcast(changed)
                return result
            }
            if let deadline {
                if unsafe pip_condition_wait_until(changed, lock, deadline.nanoseconds) == ETIMEDOUT {
                    return body(&state)
                }
            } else {
                unsafe pthread_cond_wait(changed, lock)
            }
        }
    }
}
