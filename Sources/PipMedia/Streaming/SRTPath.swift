#if Media
internal import CGStreamer
internal import PipFrames

/// The counters of an SRT connection since its beginning, and its round-trip time.
struct SRTCounts: Sendable, Equatable {
    var packetsSent = 0
    /// The number of packets that the receiver reported as lost; the sender sends such packets again.
    var packetsLost = 0
    /// The number of packets that were dropped because the connection's latency had passed.
    var packetsDropped = 0
    /// The round-trip time to the receiver.
    var roundTripTime = Duration.zero

    init() {}

    /// Reads the counters from the statistics of GStreamer's SRT element.
    ///
    /// - Parameter statistics: The element's statistics. The result is nil while the element has no connection, and for
    ///   an element that waits for callers.
    @unsafe init?(_ statistics: UnsafePointer<GstStructure>) {
        var milliseconds = 0.0
        guard unsafe gst_structure_get_double(statistics, "rtt-ms", &milliseconds) != 0 else { return nil }
        roundTripTime = .seconds(max(0, milliseconds) / 1000)
        packetsSent = unsafe wholeNumber(statistics, "packets-sent") ?? 0
        packetsLost = unsafe wholeNumber(statistics, "packets-sent-lost") ?? 0
        packetsDropped = unsafe wholeNumber(statistics, "packets-sent-dropped") ?? 0
    }
}

/// The estimate of the delay on the path of an SRT connection, where packets wait in routers' queues or are lost.
///
/// The sender's socket does not measure this delay. The estimate uses two facts: a queue before a bottleneck lengthens
/// the round trips, and a full queue loses packets.
struct SRTPath: Sendable {
    /// The period over which lost packets are compared with sent packets.
    static let window = Duration.seconds(1)
    /// The period over which the shortest round trip is measured; the measurement of the previous period counts, too.
    static let baselinePeriod = Duration.seconds(15)
    /// The share of lost packets above which the queue counts as full.
    static let congestedLossShare = 0.1

    /// The shortest round trips of the current and of the previous baseline period.
    ///
    /// The shorter of the two is the estimate of a round trip without queues. After the path has become longer, the
    /// estimate follows within two periods.
    private var (shortest, shortestBefore): (Duration?, Duration?) = (nil, nil)
    private var baselineStart: Timestamp?
    private var windowStart: Timestamp?
    private var windowCounts = SRTCounts()
    /// The delay assumed because packets were lost or dropped.
    private var lossDelay = Duration.zero

    /// Estimates the delay on the path.
    ///
    /// - Parameters:
    ///   - counts: The counters since the connection's beginning.
    ///   - now: The current time.
    /// - Returns: The delay, for ``StreamAdaptation``.
    mutating func delay(_ counts: SRTCounts, at now: Timestamp) -> Duration {
        let shortest = shortestRoundTrip(counts, at: now)
        if counts.packetsDropped > windowCounts.packetsDropped { lossDelay = .seconds(1) }
        let begin = windowStart ?? now
        windowStart = begin
        if begin.duration(to: now) >= Self.window {
            let sent = counts.packetsSent - windowCounts.packetsSent
            let lost = counts.packetsLost - windowCounts.packetsLost
            if counts.packetsDropped > windowCounts.packetsDropped {
                lossDelay = .seconds(1)
            } else if sent >= 20, Double(lost) > Double(sent) * Self.congestedLossShare {
                lossDelay = .milliseconds(300)
            } else {
                lossDelay = .zero
            }
            (windowStart, windowCounts) = (now, counts)
        }
        return max(counts.roundTripTime - shortest, lossDelay)
    }

    private mutating func shortestRoundTrip(_ counts: SRTCounts, at now: Timestamp) -> Duration {
        // Before the first answer, SRT reports its own estimate of 100 ms.
        guard counts.packetsSent > 0 else { return counts.roundTripTime }
        if let begin = baselineStart, begin.duration(to: now) >= Self.baselinePeriod {
            (shortest, shortestBefore, baselineStart) = (nil, shortest, now)
        }
        baselineStart = baselineStart ?? now
        let present = min(shortest ?? counts.roundTripTime, counts.roundTripTime)
        shortest = present
        return min(present, shortestBefore ?? present)
    }
}
#endif
