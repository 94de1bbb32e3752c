internal import PipConcurrency
internal import Synchronization

/// A command of a slot's owner to its thread.
enum SlotCommand: Sendable {
    /// Sets another mode of the same camera.
    case change(CameraWish)
    /// Replaces the camera.
    case replace(CameraSelector, CameraWish)
    /// Checks a change, which ``carryOut`` makes and ``takeBack`` reverts.
    case prepare(SetupChange)
    case carryOut, settle, takeBack
    /// Releases the camera for another slot.
    case vacate
}

/// The queue of commands to a slot's thread.
///
/// Thread: any.
final class SlotCommands: Sendable {
    typealias Reply = @Sendable (CaptureError?) -> Void

    private struct State {
        var waiting: [(command: SlotCommand, reply: Reply)] = []
        var isClosed = false
        /// True while a command exceeds ``patience``.
        var isHanging = false
    }

    /// The longest time for a command: opening takes seconds, and a successor's first frame three more.
    private static let patience = Duration.seconds(10)

    private let state = Mutex(State())

    /// True while a command exceeds the driver's time limit.
    var isHanging: Bool { state.withLock { $0.isHanging } }

    /// Queues a command.
    ///
    /// - Returns: False when the queue is closed.
    @discardableResult
    func add(_ command: SlotCommand, reply: @escaping Reply = { _ in }) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.waiting.append((command, reply)) }
            return !state.isClosed
        }
    }

    /// Removes and returns the oldest command.
    func next() -> (command: SlotCommand, reply: Reply)? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    /// Refuses further commands; waiting ones are still carried out.
    func close() { state.withLock { $0.isClosed = true } }

    /// Refuses further commands.
    ///
    /// - Returns: The replies of the commands that were not carried out.
    func finish() -> [Reply] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting.map(\.reply)
        }
    }

    /// Queues a command, and waits for its answer or the time limit.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - driver: The slot's driver, which owns this queue.
    /// - Throws: The ``CaptureError`` of the answer, or the one of a hanging driver.
    func send(_ command: SlotCommand, to driver: SlotDriver) async throws(CaptureError) {
        let answer = CommandAnswer()
        let timer = Task { [driver] in
            guard (try? await driver.calls.clock.sleep(for: Self.patience)) != nil else { return }
            if answer.give(driver.hanging) { state.withLock { $0.isHanging = true } }
        }
        let failure = await withCheckedContinuation { continuation in
            answer.await(continuation)
            let isAccepted = add(command) { [weak self] error in
                self?.state.withLock { $0.isHanging = false }
                answer.give(error)
            }
            if !isAccepted { answer.give(driver.stopped) }
            driver.wake()
        }
        timer.cancel()
        if let failure { throw failure }
    }
}

/// The single answer to a command, for its caller.
private final class CommandAnswer: Sendable {
    private let waiting = Mutex<CheckedContinuation<CaptureError?, Never>?>(nil)

    func await(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting.withLock { $0 = continuation } }

    /// Resumes the caller with the answer.
    ///
    /// - Returns: False when the answer was given before.
    @discardableResult
    func give(_ error: CaptureError?) -> Bool {
        guard let continuation = waiting.withLock({ $0.take() }) else { return false }
        continuation.resume(returning: error)
        return true
    }
}
