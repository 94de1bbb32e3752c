internal import PipFrames

/// Thins a camera's frames out to at most one an interval, as evenly as they come.
struct Pacer {
    /// How early a frame may be: half of the camera's own period, so that its jitter does not cost every other frame.
    private let tolerance: Duration
    private var interval = Duration.zero
    /// When the next frame is wanted.
    private var due = Timestamp.zero

    /// - Parameter frameRate: What the camera promises.
    init(frameRate: FrameRate?) { tolerance = (frameRate?.interval ?? .zero) / 2 }

    /// Decides on a frame.
    ///
    /// Averaged over many, frames pass at exactly one an interval, or at the camera's rate where that is lower.
    ///
    /// - Parameters:
    ///   - timestamp: The frame's.
    ///   - interval: The least time between frames; zero lets all pass.
    /// - Returns: Whether the frame is to be used.
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
