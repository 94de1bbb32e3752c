internal import PipFrames

/// Decimates a camera's frames evenly to at most one an interval.
struct Pacer {
    /// The tolerated earliness: half of the camera's period, because jitter would otherwise drop every other frame.
    private let tolerance: Duration
    private var interval = Duration.zero
    /// The time of the next wanted frame.
    private var due = Timestamp.zero

    /// - Parameter frameRate: The camera's promised rate.
    init(frameRate: FrameRate?) { tolerance = (frameRate?.interval ?? .zero) / 2 }

    /// Decides on a frame.
    ///
    /// On average, exactly one frame an interval passes, or all frames where the camera is slower.
    ///
    /// - Parameters:
    ///   - timestamp: The frame's timestamp.
    ///   - interval: The minimum interval between frames; zero lets all pass.
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
        // A clock that was set back would otherwise block frames until it catches up.
        guard earliness <= min(tolerance, interval / 2) || earliness > interval * 2 else { return false }
        let isInStep = earliness <= min(tolerance, interval / 2) && earliness > .zero - interval
        due = (isInStep ? due : timestamp).advanced(by: interval)
        return true
    }
}
