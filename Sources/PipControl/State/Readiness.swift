#if Control
/// Waits for objects that the page may request before they exist: the page can open before the cameras do.
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
