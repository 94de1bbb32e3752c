#if Media
internal import PipFrames

/// Adapts a stream's bit rate to the backlog on the path to the server.
///
/// The bit rate falls at once, in large steps, and rises slowly, in small steps: a rate that rises too early freezes
/// the receiver's picture.
struct StreamAdaptation {
    /// The backlog above which the path is congested.
    static let congestion = Duration.milliseconds(200)
    /// The backlog below which the path is clear.
    static let clearance = Duration.milliseconds(100)
    /// The shortest time between two reductions of the bit rate, in which packets of the earlier rate must leave.
    static let downInterval = Duration.seconds(1)
    /// The time on a clear path, and since the last change of the bit rate, after which the bit rate may rise.
    static let upInterval = Duration.seconds(6)
    static let leastShare = 0.1

    /// The share of the full bit rate to use, from `leastShare` to 1.
    private(set) var share = 1.0
    private var lastStep: Timestamp?
    private var clearSince: Timestamp?

    /// Adapts the share to the current backlog.
    ///
    /// - Parameters:
    ///   - backlog: The duration of the queued packets and of the packets on the path, which have not arrived.
    ///   - now: The current time.
    /// - Returns: The new share. Nil when the share does not change.
    mutating func step(_ backlog: Duration, at now: Timestamp) -> Double? {
        let last = lastStep ?? .zero
        if backlog > Self.congestion {
            clearSince = nil
            guard share > Self.leastShare, lastStep == nil || last.duration(to: now) >= Self.downInterval else {
                return nil
            }
            // A larger backlog means a narrower path.
            share = max(Self.leastShare, share * (backlog > .seconds(1) ? 0.4 : 0.6))
        } else {
            guard backlog < Self.clearance else {
                clearSince = nil
                return nil
            }
            let clear = clearSince ?? now
            clearSince = clear
            guard share < 1, clear.duration(to: now) >= Self.upInterval, last.duration(to: now) >= Self.upInterval
            else {
                return nil
            }
            share = min(1, share * 1.25)
        }
        lastStep = now
        return share
    }

    /// Restarts the measurement after a reconnection; the share stays, since the path is the same.
    mutating func reconnected() { clearSince = nil }
}
#endif
