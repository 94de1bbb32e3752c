internal import SystemPackage

/// A request from another thread to a camera's capture thread.
enum CaptureCommand: Sendable {
    case stop
    case disable(@Sendable (CaptureError?) -> Void)
    case enable(@Sendable (CaptureError?) -> Void)
}

/// The queue of commands to a capture thread, which waits in `poll`.
final class CaptureCommands: Sendable {
    private let queue = CommandQueue<CaptureCommand>()
    private let calls: any V4L2Calls
    /// The eventfd that `poll` watches beside the device.
    let wakeUp: CInt

    init(device: String, calls: any V4L2Calls) throws(CaptureError) {
        self.calls = calls
        wakeUp = try calls.makeWakeUp(for: device)
    }

    deinit { calls.close(wakeUp) }

    /// Enqueues a command and wakes the thread.
    ///
    /// - Returns: False when the thread accepts no more commands.
    func send(_ command: CaptureCommand) -> Bool {
        let isAccepted = queue.add(command)
        if isAccepted { calls.wake(wakeUp) }
        return isAccepted
    }

    /// Removes and returns the oldest command; nil when no command waits.
    func next() -> CaptureCommand? { queue.next() }

    /// Closes the queue.
    ///
    /// - Returns: The commands that were not carried out.
    func finish() -> [CaptureCommand] { queue.finish() }
}

extension V4L2Calls {
    /// Makes a wake-up descriptor for the thread of a camera; the caller must close it.
    func makeWakeUp(for device: String) throws(CaptureError) -> CInt {
        do {
            return try makeWakeUp()
        } catch {
            throw CaptureError(device: device, operation: "make a wake-up descriptor", call: "eventfd", errno: error)
        }
    }
}
