internal import PipPlan
internal import Synchronization

/// The results of a session's render loop so far.
///
/// The render loop writes them, and holds the lock for a few instructions. Thread-safe. They exist before the loop
/// does, and stay when it has ended.
final class RenderResults: Sendable {
    struct Contents: Sendable {
        /// The plan of the latest frame.
        ///
        /// Before the first frame: the plan of the graph that was opened.
        var plan = RenderPlan()
        /// The renderer of the plan that was installed last.
        var renderer = SessionRenderer(RenderPlan(), nil)
        var frames = 0
        /// Ticks that were due but got no frame, because the frame before took too long.
        var missed = 0
        /// Ticks that were left out on purpose.
        var thinned = 0
        /// Planes that were read from the memory that a camera wrote.
        var sharedPlanes = 0
        var load = LoadMeter()
        /// The output time of the latest tick.
        var time = Duration.zero
        /// The time of the first drawn frame.
        var started: Timestamp?
        /// The time of the latest drawn frame.
        var last: Timestamp?
        /// The time from a camera's timestamp to the sinks, of the latest frames.
        var latency = Samples()
        /// The same, of all frames.
        var latencies = LatencyHistogram()
        /// The difference between the timestamps of two cameras in one frame.
        var skew = Samples()
        /// The numbers of the motions that have ended.
        var endedMotions: Set<Int> = []
    }

    private let contents: Mutex<Contents> = Mutex(Contents())

    /// Reads or changes the results, under their lock.
    func withLock<R: Sendable>(_ body: (inout Contents) -> R) -> R { contents.withLock { body(&$0) } }

    /// The plan of the latest frame.
    var plan: RenderPlan { contents.withLock { $0.plan } }

    /// Counts a tick.
    ///
    /// - Parameters:
    ///   - isDrawn: False when no frame was made: the sinks hold all memory, or there is nothing to show yet.
    ///   - now: The time of the tick.
    func countTick(isDrawn: Bool, at now: Timestamp) {
        contents.withLock { contents in
            if isDrawn {
                contents.frames += 1
                if contents.started == nil { contents.started = now }
                contents.last = now
            } else {
                contents.missed += 1
            }
        }
    }
}
