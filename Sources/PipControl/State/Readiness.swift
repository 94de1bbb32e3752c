#if Control
/// Waits for objects that a page may request too early: a page can open before the cameras are open.
enum Readiness {
    private static let timeout = Duration.seconds(5)

    /// Waits until a condition is true, five seconds have passed, or the current task is cancelled.
    static func wait(until isReady: () -> Bool) async {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !isReady(), ContinuousClock.now < deadline {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        }
    }
}
#endif
