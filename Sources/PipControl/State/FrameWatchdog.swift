#if Control
internal import Synchronization

/// Detects that the session has stopped making frames.
///
/// Callers record the number of frames again and again. Any caller may read ``problem``.
final class FrameWatchdog: Sendable {
    private static let timeout = Duration.seconds(5)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let last: Mutex<(frames: Int, at: ContinuousClock.Instant)>

    /// - Parameter now: Returns the current time; tests replace it.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.now = now
        last = Mutex((0, now()))
    }

    /// Records the number of frames that the session has made so far.
    func record(_ frames: Int) {
        last.withLock { last in
            if frames != last.frames { last = (frames, now()) }
        }
    }

    /// The reason why the composition is unhealthy; nil if the last frame is less than five seconds old.
    var problem: String? {
        last.withLock { last in
            if last.frames == 0 { return "no frame has been made yet" }
            let silence = last.at.duration(to: now())
            return silence < Self.timeout ? nil : "no frame has been made for \(silence.components.seconds) s"
        }
    }
}
#endif
