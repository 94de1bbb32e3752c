/// A camera's frames that were not shown yet, at most two, and the choice of the frame to show beside other cameras.
///
/// While a camera's newest frame is newer than another camera's by more than half a period, each frame is held back for
/// one tick: the frame before it is nearer in time. Holding back begins with the third such choice in a row. Frames of
/// one moment are thus shown together, whatever the phase of the cameras' clocks, and no latency builds up.
struct FrameQueue {
    /// The newest frame; nil once it was shown.
    private var newest: Frame?
    /// The frame before `newest`; nil once it was shown or passed over.
    private var older: Frame?
    private var isHolding = false
    /// The number of consecutive choices in which holding back would help.
    private var timesWorthwhile = 0

    /// The value of `timesWorthwhile` with which holding back begins.
    ///
    /// Beside a camera of half the rate, holding back would seem to help for every other frame.
    private static let patience = 3

    /// The outcome of a choice.
    struct Choice {
        /// The frame to show from now on; nil keeps the shown frame.
        var frame: Frame?
        /// The number of frames that will not be shown any more.
        var passedOver = 0
    }

    /// The hysteresis of holding back, as a divisor of the period.
    ///
    /// Without the hysteresis, clocks half a period apart would make the choice flip with their jitter.
    static let hysteresis = 16

    /// Adds a camera's newest frame.
    ///
    /// - Returns: The number of frames that will not be shown any more.
    mutating func offer(_ frame: Frame) -> Int {
        defer { (older, newest) = (newest, frame) }
        return older == nil ? 0 : 1
    }

    /// The timestamp of the newest frame, shown or not.
    func newestTimestamp(shown: Frame?) -> Timestamp? { newest?.timestamp ?? shown?.timestamp }

    /// Chooses the frame to show now.
    ///
    /// - Parameters:
    ///   - oldest: The oldest timestamp among the cameras' newest frames; nil without another camera to match.
    ///   - shown: The timestamp of the frame that is shown; nil when no frame is shown, or that frame is older than a
    ///     gap in the camera's frames.
    ///   - interval: The camera's period.
    /// - Returns: The frame to show, if it changes, and the number of frames passed over.
    mutating func choose(beside oldest: Timestamp?, shown: Timestamp?, interval: Duration) -> Choice {
        guard let newest else { return Choice() }
        let previous = older?.timestamp ?? shown
        timesWorthwhile =
            isWorthHolding(newest.timestamp, previous, beside: oldest, interval) ? timesWorthwhile + 1 : 0
        isHolding = timesWorthwhile >= Self.patience
        defer { older = nil }
        if isHolding { return Choice(frame: older) }
        self.newest = nil
        return Choice(frame: newest, passedOver: older == nil ? 0 : 1)
    }

    /// Releases all frames.
    ///
    /// - Returns: The number of released frames.
    mutating func removeAll() -> Int {
        defer { self = FrameQueue() }
        return (newest == nil ? 0 : 1) + (older == nil ? 0 : 1)
    }

    /// Releases all frames if one of them does not satisfy `isWanted`.
    ///
    /// - Returns: The number of released frames.
    mutating func removeAll(unless isWanted: (Frame) -> Bool) -> Int {
        [newest, older].compactMap(\.self).allSatisfy(isWanted) ? 0 : removeAll()
    }

    private func isWorthHolding(
        _ newest: Timestamp, _ previous: Timestamp?, beside oldest: Timestamp?, _ interval: Duration
    ) -> Bool {
        guard let oldest, let previous, interval > .zero else { return false }
        let margin = interval / Self.hysteresis
        let threshold = isHolding ? interval / 2 - margin : interval / 2 + margin
        let rest = previous.duration(to: oldest)
        return oldest.duration(to: newest) > threshold && abs(rest.nanoseconds) <= (interval / 2 + margin).nanoseconds
    }
}
