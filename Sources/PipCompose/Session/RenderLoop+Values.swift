internal import PipPlan
internal import Synchronization

extension RenderLoop {
    /// The results so far, readable on any thread.
    struct Shared {
        var frames = 0
        var missed = 0
        /// Moments that were left out on purpose.
        var thinned = 0
        var sharedPlanes = 0
        var load = LoadMeter()
        /// The output's time at its last moment.
        var time = Duration.zero
        var started: Timestamp?
        var last: Timestamp?
        var latency = Samples()
        var latencies = LatencyHistogram()
        var skew = Samples()
        var presence: [NodeID: Presence] = [:]
        /// The plan of the latest frame while layers move; nil while none does.
        var movingPlan: RenderPlan?
        /// The motions of the score that are over, by their numbers.
        var endedMotions: Set<Int> = []
    }

    /// An event of the render loop.
    enum LoopEvent: Sendable {
        case started
        case presenceChanged
        /// A source that ends by itself has ended.
        case sourceEnded(name: String)
        /// An effect comes or goes: it is time for another plan.
        case planOutdated
        case drawingFailed(GLError)
        /// A motion of a layer is over.
        case motionEnded
        /// The driver does not read a camera's memory in place: frames are copied.
        case sharingRefused(GLError)
        /// Several frames in a row took far too long to draw, the latest of them so long.
        case framesTooSlow(Duration)
        /// The GPU was reset: it waits for another context.
        case contextLost
        /// The last frame was handed over; the loop does not run any more.
        case ended
    }

    /// The record of a frame until it is read back.
    struct FrameNote {
        /// The frames of cameras in it.
        var inputs = FrameInputs()
        /// Its moment, left-out ones counted.
        var tick = 0
        /// The moment of the frame before it; -1 for the first.
        var previous = -1
        /// Moments before it that were left out on purpose.
        var thinned = 0
    }

    /// When a loop begins, and when it ends by itself.
    struct Limits: Sendable {
        /// The moment of the first frame.
        var first = 0
        /// The first moment at which no frame is wanted any more.
        var end: Int?
        /// After this many frames.
        var frames: Int?
    }

    /// Counts a moment: a frame was made, or missed because the sinks hold all memory or there is nothing to show yet.
    func count(_ isDrawn: Bool, at now: Timestamp) {
        shared.withLock { shared in
            if isDrawn {
                shared.frames += 1
                if shared.started == nil { shared.started = now }
                shared.last = now
            } else {
                shared.missed += 1
            }
        }
    }
}
