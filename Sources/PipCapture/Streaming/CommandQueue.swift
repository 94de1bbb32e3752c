internal import Synchronization

/// A first-in, first-out queue of commands to a thread.
///
/// Thread: any.
final class CommandQueue<Command: Sendable>: Sendable {
    private struct State {
        var waiting: [Command] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a command; returns false, and drops the command, when the queue is closed.
    @discardableResult
    func add(_ command: Command) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(command) }
            return !state.isClosed
        }
    }

    /// Removes and returns the oldest command; nil when no command waits.
    func next() -> Command? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

    /// Refuses further commands; the thread still carries out the commands that wait.
    func close() { state.withLock { $0.isClosed = true } }

    /// Refuses further commands, and empties the queue.
    ///
    /// - Returns: The commands that were not carried out.
    func finish() -> [Command] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
