#if Control
/// Waits for objects that a page may request before they exist, because the page opens before the cameras do.
enum Readiness {
    private static let timeout = Duration.seconds(5)

    /// Waits until a condition is true, for five seconds at most, or until the task is cancelled.
    static func wait(until isReady: () -> Bool) async {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !isReady(), ContinuousClock.now < deadline {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        }
    }
}
#endif
