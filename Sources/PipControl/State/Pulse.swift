#if Control
internal import Synchronization

/// Tells whether frames are still made: somebody looks again and again, and others ask.
final class Pulse: Sendable {
    private static let patience = Duration.seconds(5)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let last: Mutex<(frames: Int, at: ContinuousClock.Instant)>

    /// - Parameter now: The time.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.now = now
        last = Mutex((0, now()))
    }

    /// Notes the frames that were made so far.
    func look(_ frames: Int) {
        last.withLock { last in
            if frames != last.frames { last = (frames, now()) }
        }
    }

    /// Why the composition is not well; nil while it is.
    var problem: String? {
        last.withLock { last in
            if last.frames == 0 { return "no frame was made yet" }
            let silence = last.at.duration(to: now())
            return silence < Self.patience ? nil : "no frame was made for \(silence.components.seconds) s"
        }
    }
}
#endif
