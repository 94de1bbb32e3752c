internal import PipFrames

/// Selects frames evenly, so that on average at most one frame passes for each interval.
struct Pacer {
    /// Half of the camera's frame interval.
    ///
    /// A frame may be early by this time, or by half of the minimum interval if that is shorter. Without this
    /// tolerance, jitter would drop every other frame.
    private let tolerance: Duration
    private var interval = Duration.zero
    /// The time at which the next frame is due.
    private var due = Timestamp.zero

    /// - Parameter frameRate: The camera's negotiated rate; nil when unknown.
    init(frameRate: FrameRate?) { tolerance = (frameRate?.interval ?? .zero) / 2 }

    /// Decides whether a frame passes.
    ///
    /// One frame of a faster camera passes for each interval on average; all frames of a slower camera pass.
    ///
    /// - Parameters:
    ///   - timestamp: The frame's timestamp.
    ///   - interval: The minimum interval between frames; zero lets all frames pass.
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
        // Timestamps that went back would otherwise block frames until they reach the due time again.
        guard earliness <= min(tolerance, interval / 2) || earliness > interval * 2 else { return false }
        let isInStep = earliness <= min(tolerance, interval / 2) && earliness > .zero - interval
        due = (isInStep ? due : timestamp).advanced(by: interval)
        return true
    }
}
