internal import PipConcurrency
internal import Synchronization

/// A command from a slot's owner to the slot's thread.
enum SlotCommand: Sendable {
    /// Sets the same camera to another mode.
    case change(CameraWish)
    case replace(CameraSelector, CameraWish)
    /// Checks a change, which ``carryOut`` then makes and ``takeBack`` reverts.
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

    /// The time limit of a command: opening takes seconds, and a new camera's first frame up to three more.
    private static let patience = Duration.seconds(10)

    let queue = CommandQueue<(command: SlotCommand, reply: Reply)>()
    private let isLate = Atomic(false)

    /// True while the thread performs a command that has exceeded the time limit.
    var isHanging: Bool { isLate.load(ordering: .acquiring) }

    /// Queues a command, and waits for its answer or the time limit.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - driver: The slot's driver, which owns this queue.
    /// - Throws: The ``CaptureError`` of the answer, or one of kind `hanging` after the time limit.
    func send(_ command: SlotCommand, to driver: SlotDriver) async throws(CaptureError) {
        let answer = CommandAnswer()
        let timer = Task { [driver] in
            guard (try? await driver.calls.clock.sleep(for: Self.patience)) != nil else { return }
            if answer.give(driver.hanging) { self.isLate.store(true, ordering: .releasing) }
        }
        let failure = await withCheckedContinuation { continuation in
            answer.await(continuation)
            let reply: Reply = { [weak self] error in
                self?.isLate.store(false, ordering: .releasing)
                answer.give(error)
            }
            if !queue.add((command, reply)) { answer.give(driver.stopped) }
            driver.wake()
        }
        timer.cancel()
        if let failure { throw failure }
    }
}

/// The answer to a command; further answers to the command have no effect.
private final class CommandAnswer: Sendable {
    private let waiting = Mutex<CheckedContinuation<CaptureError?, Never>?>(nil)

    func await(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting.withLock { $0 = continuation } }

    /// Resumes the caller with the answer.
    ///
    /// - Returns: False when the caller already has an answer.
    @discardableResult
    func give(_ error: CaptureError?) -> Bool {
        guard let continuation = waiting.withLock({ $0.take() }) else { return false }
        continuation.resume(returning: error)
        return true
    }
}
