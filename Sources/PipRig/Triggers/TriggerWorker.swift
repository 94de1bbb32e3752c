internal import PipCompose
internal import Synchronization

/// Performs one action of a trigger that may take long, for one firing after the other, on a thread of its own.
///
/// The thread exists while there is work. Nothing waits for it, and few firings wait for the action.
///
/// Thread: any.
final class TriggerWorker: Sendable {
    /// Performs the action for a firing, and blocks until it is done or the interruption is raised.
    typealias Work = @Sendable (TriggerFiring, Interruption) -> Void

    private struct State {
        var waiting: [TriggerFiring] = []
        /// True from the start of the thread to its end.
        var isBusy = false
        /// The number of firings that found no room since the last message about them.
        var leftOut = 0
    }

    private let threadName: String
    private let most: Int
    private let onLoss: @Sendable (Int) -> Void
    private let work: Work
    private let state = Mutex(State())
    private let ending = Interruption()

    /// - Parameters:
    ///   - threadName: The thread's name, of at most 15 bytes.
    ///   - most: The largest number of firings that wait; a further one takes the place of the oldest.
    ///   - onLoss: Takes the number of firings that were left out since the last call.
    ///   - work: Performs the action for one firing.
    init(_ threadName: String, most: Int, onLoss: @escaping @Sendable (Int) -> Void, _ work: @escaping Work) {
        (self.threadName, self.most, self.onLoss, self.work) = (threadName, most, onLoss, work)
    }

    /// Performs the action for a firing as soon as possible, and returns at once.
    func add(_ firing: TriggerFiring) {
        let starts = state.withLock { state in
            guard !ending.isRaised else { return false }
            guard state.isBusy else {
                state.isBusy = true
                return true
            }
            state.waiting.append(firing)
            if state.waiting.count > most {
                state.waiting.removeFirst()
                state.leftOut += 1
            }
            return false
        }
        if starts { _ = WorkerThread(name: threadName) { [self] in perform(firing) } }
    }

    private func perform(_ first: TriggerFiring) {
        var next: TriggerFiring? = first
        while let firing = next {
            work(firing, ending)
            let lost: Int
            (next, lost) = state.withLock { state in
                defer { state.leftOut = 0 }
                if ending.isRaised {
                    state.leftOut += state.waiting.count
                    state.waiting = []
                }
                guard state.waiting.isEmpty else { return (state.waiting.removeFirst(), state.leftOut) }
                state.isBusy = false
                return (nil, state.leftOut)
            }
            if lost > 0 { onLoss(lost) }
        }
    }

    /// Waits for the action and for the firings that wait for it, and interrupts the action after `limit`.
    ///
    /// An action that is interrupted has `limit` again to end.
    func end(within limit: Duration) async {
        await rest(within: limit)
        ending.raise()
        await rest(within: limit)
    }

    private func rest(within limit: Duration) async {
        let deadline = MonotonicClock().now.advanced(by: limit)
        while state.withLock({ $0.isBusy }), MonotonicClock().now < deadline {
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
        }
    }
}
