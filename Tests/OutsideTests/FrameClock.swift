import Synchronization

/// A clock that advances by one frame period with each frame that a sink writes.
final class FrameClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// A sleep: the number of passed frames at its start and at its end.
    struct Sleep { let begun, ended: Int }

    private let framesPerSecond: Int
    private let state = Mutex((frames: 0, sleeps: [Sleep]()))

    init(framesPerSecond: Int) { self.framesPerSecond = framesPerSecond }

    var frames: Int { state.withLock { $0.frames } }
    /// The completed sleeps.
    var sleeps: [Sleep] { state.withLock { $0.sleeps } }
    var now: Instant { Instant(offset: .seconds(frames) / framesPerSecond) }
    var minimumResolution: Duration { .seconds(1) / framesPerSecond }

    func passFrame() { state.withLock { $0.frames += 1 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let begun = frames
        while now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        state.withLock { $0.sleeps.append(Sleep(begun: begun, ended: $0.frames)) }
    }
}
