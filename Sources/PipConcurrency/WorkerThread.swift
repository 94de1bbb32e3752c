internal import CPlatform
internal import Glibc
internal import Synchronization

/// A thread of our own that may block. It must be joined, by ``join()`` or ``joined()``, before its owner goes away.
package final class WorkerThread: Sendable {
    private enum State {
        case running([CheckedContinuation<Void, Never>])
        case finished
    }
    private let state: Monitor<State>

    /// Starts a thread.
    ///
    /// - Parameter name: Shown by `top -H`; 15 bytes at most.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let state = Monitor(State.running([]))
        self.state = state
        let start = ThreadStart {
            unsafe pip_set_thread_name(name)
            body()
            let waiting: [CheckedContinuation<Void, Never>] = state.update {
                guard case .running(let waiting) = $0 else { return [] }
                $0 = .finished
                return waiting
            }
            for continuation in waiting { continuation.resume() }
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
            // Out of threads: do the work here rather than lose it.
            unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
            return
        }
        pthread_detach(thread)
    }

    /// Blocks until the thread's body has returned.
    package func join() {
        _ = state.wait { state -> Void? in if case .finished = state { () } else { nil } }
    }

    /// Suspends until the thread's body has returned.
    package func joined() async {
        await withCheckedContinuation { continuation in
            let finished = state.update { state in
                guard case .running(let waiting) = state else { return true }
                state = .running(waiting + [continuation])
                return false
            }
            if finished { continuation.resume() }
        }
    }
}

private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
