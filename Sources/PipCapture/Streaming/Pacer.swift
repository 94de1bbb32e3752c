internal import PipFrames

/// Decimates a camera's frames to at most one an interval, evenly.
struct Pacer {
    /// The earliness that is tolerated: half of the camera's period, lest jitter cost every other frame.
    private let tolerance: Duration
    private var interval = Duration.zero
    /// When the next frame is wanted.
    private var due = Timestamp.zero

    /// - Parameter frameRate: The camera's promised rate.
    init(frameRate: FrameRate?) { tolerance = (frameRate?.interval ?? .zero) / 2 }

    /// Decides on a frame.
    ///
    /// Averaged over many, frames pass at exactly one an interval, or at the camera's rate where that is lower.
    ///
    /// - Parameters:
    ///   - timestamp: The frame's timestamp.
    ///   - interval: The least time between frames; zero lets all pass.
    /// - Returns: True to use the frame, false to drop it.
    mutating func admits(_ timestamp: Timestamp, every interval: Duration) -> Bool {
        guard interval > .zero else {
            self.interval = .zero
            return true
        }
        if interval != self.interval {
            self.interval = interval
            due = timestamp
        }
        let earliness = timestamp.duration(to: due)
        // A clock that was set back would keep frames away for as long.
        guard earliness <= min(tolerance, interval / 2) || earliness > interval * 2 else { return false }
        let isInStep = earliness <= min(tolerance, interval / 2) && earliness > .zero - interval
        due = (isInStep ? due : timestamp).advanced(by: interval)
        return true
    }
}
