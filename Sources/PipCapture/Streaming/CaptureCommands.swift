internal import PipConcurrency
internal import Synchronization
internal import SystemPackage

/// A request of another thread to a capture thread.
enum CaptureCommand: Sendable {
    case stop
    case disable(@Sendable (CaptureError?) -> Void)
    case enable(@Sendable (CaptureError?) -> Void)
}

/// The queue of commands to a capture thread, which sleeps in `poll`.
final class CaptureCommands: Sendable {
    private struct State {
        var waiting: [CaptureCommand] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let calls: any V4L2Calls
    /// The eventfd that `poll` watches beside the device.
    let wakeUp: CInt

    init(device: String, calls: any V4L2Calls) throws(CaptureError) {
        self.calls = calls
        do {
            wakeUp = try calls.makeWakeUp()
        } catch {
            throw CaptureError(device: device, operation: "make a wake-up", call: "eventfd", errno: error)
        }
    }

    deinit { calls.close(wakeUp) }

    /// Enqueues a command and wakes the thread.
    ///
    /// - Returns: False when the thread accepts no more commands.
    func send(_ command: CaptureCommand) -> Bool {
        let isAccepted = state.withLock { state in
            if !state.isFinished { state.waiting.append(command) }
            return !state.isFinished
        }
        if isAccepted { calls.wake(wakeUp) }
        return isAccepted
    }

    /// Removes and returns the oldest command.
    func next() -> CaptureCommand? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    /// Closes the queue.
    ///
    /// - Returns: The commands that were not carried out.
    func finish() -> [CaptureCommand] {
        state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
