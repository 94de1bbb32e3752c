internal import PipPlan
internal import Synchronization

/// The counters and measurements of a session's render loop.
///
/// The render loop writes the results, and holds the lock for a few instructions at a time. The results exist before
/// the loop does, and stay readable when the loop has ended.
///
/// Thread: any.
final class RenderResults: Sendable {
    struct Contents: Sendable {
        /// The installed plan; while layers move, the plan of the latest frame; before the run, the latest plan.
        var plan = RenderPlan()
        /// The renderer of the latest installed plan; before the run, of the latest plan.
        var renderer = SessionRenderer(RenderPlan(), nil)
        var frames = 0
        /// The number of ticks that were due but got no frame: an earlier frame took too long, the sinks held all
        /// buffers, drawing failed, or there was nothing to show.
        var missed = 0
        /// The number of ticks that were left out on purpose.
        var thinned = 0
        /// The number of planes that the GPU has read in a camera's memory, without a copy.
        var sharedPlanes = 0
        var load = LoadMeter()
        /// The output time of the latest tick.
        var time = Duration.zero
        /// The time at which the first frame was drawn; nil before that frame.
        var started: Timestamp?
        /// The time at which the latest frame was drawn; nil before the first frame.
        var last: Timestamp?
        /// The time from the timestamp of the newest camera frame in a composed frame to the composed frame's delivery,
        /// for the latest frames.
        var latency = Samples()
        /// The time from the timestamp of the newest camera frame in a composed frame to the composed frame's delivery,
        /// for all frames.
        var latencies = LatencyHistogram()
        /// The time between the oldest and the newest camera frame in one composed frame, for the latest frames.
        var skew = Samples()
        /// The IDs of the motions that have ended.
        var endedMotions: Set<Int> = []
    }

    private let contents: Mutex<Contents> = Mutex(Contents())

    /// Reads or changes the results, under their lock.
    func withLock<R: Sendable>(_ body: (inout Contents) -> R) -> R { contents.withLock { body(&$0) } }

    var plan: RenderPlan { contents.withLock { $0.plan } }

    /// Counts a tick.
    ///
    /// - Parameters:
    ///   - isDrawn: False when no frame was drawn: the sinks hold all buffers, drawing has failed, or there is nothing
    ///     to show yet.
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
