#if Control
internal import Synchronization

/// Tells whether frames are still made.
final class Pulse: Sendable {
    private static let patience = Duration.seconds(5)
    private let last = Mutex<(frames: Int, at: ContinuousClock.Instant)>((0, ContinuousClock.now))

    /// Looks whether the composition is well.
    ///
    /// - Parameter frames: The frames that were made so far.
    /// - Returns: Why it is not; nil while it is.
    func problem(frames: Int) -> String? {
        let now = ContinuousClock.now
        return last.withLock { last in
            if frames != last.frames {
                last = (frames, now)
                return nil
            }
            if frames == 0 { return "no frame was made yet" }
            let silence = last.at.duration(to: now)
            return silence < Self.patience ? nil : "no frame was made for \(silence.components.seconds) s"
        }
    }
}
#endif
