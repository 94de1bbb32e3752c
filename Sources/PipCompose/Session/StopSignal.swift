internal import Synchronization

/// A stop request, which may be raised before, while or after one task waits for it.
///
/// Thread: any.
final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }
    private let state: Mutex<State> = Mutex(State())

    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiter = continuation }
                return state.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }
}
