#if Media
internal import PipFrames

/// The share of its bit rate that a stream is sent with, by what waits on the way to its server.
///
/// It goes down at once, in large steps, and up slowly, in small ones: who goes up too early makes the picture stop.
struct StreamAdaptation {
    /// The way is too narrow when so much waits.
    static let congestion = Duration.milliseconds(200)
    /// It is clear when less than this waits.
    static let clearance = Duration.milliseconds(100)
    /// Between two steps down: what was sent before has to leave first.
    static let downInterval = Duration.seconds(1)
    /// Between two steps up.
    static let upInterval = Duration.seconds(6)
    static let leastShare = 0.1

    /// 1 for all.
    private(set) var share = 1.0
    private var lastStep: Timestamp?
    private var clearSince: Timestamp?

    /// Looks at the way.
    ///
    /// - Parameters:
    ///   - backlog: What waits to be sent, or to arrive.
    ///   - now: The present.
    /// - Returns: The new share; nil when it stays.
    mutating func step(_ backlog: Duration, at now: Timestamp) -> Double? {
        let last = lastStep ?? .zero
        if backlog > Self.congestion {
            clearSince = nil
            guard share > Self.leastShare, lastStep == nil || last.duration(to: now) >= Self.downInterval else {
                return nil
            }
            // The more waits, the narrower the way is.
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

    /// Begins anew with another connection; the share stays, for the way is the same.
    mutating func reconnected() { clearSince = nil }
}
#endif
