/// A camera's frames that were not shown yet, two at most, and the choice of the one to show beside other cameras.
///
/// A frame that is newer than another camera's newest frame by more than half a period is held back for one tick,
/// because the frame before it is nearer in time. Frames of one moment are shown together then, whatever the phase of
/// the cameras' clocks, and no latency builds up.
struct FrameQueue {
    /// The newest frame, unless it was shown.
    private var newest: Frame?
    /// The frame before it, unless it was shown or passed over.
    private var older: Frame?
    private var isHolding = false
    /// The number of consecutive frames that would have been worth holding back.
    private var timesWorthwhile = 0

    /// The number of consecutive frames after which holding back begins.
    ///
    /// Beside a camera of half the rate, every other frame would be worth holding back.
    private static let patience = 3

    /// A decision.
    struct Choice {
        /// The frame to show from now on; nil keeps the shown frame.
        var frame: Frame?
        /// Frames that will not be shown any more.
        var passedOver = 0
    }

    /// The hysteresis of holding back, as a divisor of the period.
    ///
    /// Clocks half a period apart, with their jitter, would make the choice change to and fro.
    static let hysteresis = 16

    /// Adds the newest frame.
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
    ///   - oldest: The oldest of the cameras' newest frames; nil when there is no other camera to go by.
    ///   - shown: The frame that is shown; nil when it is of before a gap.
    ///   - interval: The camera's period.
    /// - Returns: The frame to go over to, if any.
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
    /// - Returns: Their number.
    mutating func removeAll() -> Int {
        defer { self = FrameQueue() }
        return (newest == nil ? 0 : 1) + (older == nil ? 0 : 1)
    }

    /// Releases frames that are not wanted any more.
    ///
    /// - Returns: Their number.
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
