internal import Synchronization

extension SessionController {
    /// So many threads may be left behind in drivers that do not answer, of all cameras together.
    private static let mostHungDrivers = 2

    /// Takes note of a camera that was left behind with its thread.
    ///
    /// Nothing but the end of the process frees such a thread: at the second one the session ends, where somebody starts the program
    /// again, and else says what would help.
    nonisolated func noteHungDriver(_ error: CaptureError) {
        let count = failures.withLock { failures in
            failures.hungDrivers += 1
            return failures.isClosing ? 0 : failures.hungDrivers
        }
        guard count == Self.mostHungDrivers else { return }
        let ends = options.endsWithHungDrivers
        let trouble = CaptureError(
            .hanging, device: error.device, operation: "go on as before",
            reason: "\(count) times a driver has not answered, and each time a thread was left behind in it",
            hint: ends ? "the program ends, to be started again" : "start the program again when it suits")
        guard ends else {
            events.yield(.driversHang(trouble))
            return
        }
        failures.withLock { $0.fatal = $0.fatal ?? .camera(trouble) }
        published.withLock { $0.stop }?.raise()
    }
}
