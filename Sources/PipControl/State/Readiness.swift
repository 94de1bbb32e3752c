#if Control
/// Waits for what a page may ask for before it is there: it is open before the cameras are.
enum Readiness {
    private static let patience = Duration.seconds(5)

    /// Waits until a condition is true, for some seconds at most, or until the task is cancelled.
    static func wait(until isReady: () -> Bool) async {
        let deadline = ContinuousClock.now.advanced(by: patience)
        while !isReady(), ContinuousClock.now < deadline {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        }
    }
}
#endif
