#if Media
internal import CGStreamer
internal import PipFrames

/// How an SRT connection gets on, by its own counts.
struct SRTCounts: Sendable, Equatable {
    var packetsSent = 0
    /// Packets that the receiver has missed, and asked for again.
    var packetsLost = 0
    /// Packets that were not sent in the time that the connection's latency allows.
    var packetsDropped = 0
    /// The time to the receiver and back.
    var roundTripTime = Duration.zero

    init() {}

    /// - Parameter statistics: What the engine's element tells of its connection; nil when there is none.
    @unsafe init?(_ statistics: UnsafePointer<GstStructure>) {
        var milliseconds = 0.0
        guard unsafe gst_structure_get_double(statistics, "rtt-ms", &milliseconds) != 0 else { return nil }
        roundTripTime = .seconds(max(0, milliseconds) / 1000)
        packetsSent = unsafe wholeNumber(statistics, "packets-sent") ?? 0
        packetsLost = unsafe wholeNumber(statistics, "packets-sent-lost") ?? 0
        packetsDropped = unsafe wholeNumber(statistics, "packets-sent-dropped") ?? 0
    }
}

/// The wait on the way of an SRT connection, which no socket tells: what is sent lies in routers' queues, or is lost.
///
/// A queue in front of a narrow place makes the round trip longer than its shortest; one that is full loses packets.
struct SRTPath: Sendable {
    /// Counts are compared over so much time.
    static let window = Duration.seconds(1)
    /// A way is taken for what it was in so much time, twice.
    static let stretch = Duration.seconds(15)
    /// A share of lost packets that no good way has.
    static let lossShare = 0.1

    /// The shortest round trip of this stretch of time, and of the one before: after a while without a queue it is that
    /// of the way, also when the way has become a longer one.
    private var (shortest, shortestBefore): (Duration?, Duration?) = (nil, nil)
    private var stretchBegin: Timestamp?
    private var windowBegin: Timestamp?
    private var windowCounts = SRTCounts()
    /// By what was lost in the window before.
    private var lossDelay = Duration.zero

    /// Looks at the way.
    ///
    /// - Parameters:
    ///   - counts: From the connection's beginning.
    ///   - now: The present.
    /// - Returns: What waits, as ``StreamAdaptation`` takes it.
    mutating func wait(_ counts: SRTCounts, at now: Timestamp) -> Duration {
        let shortest = shortestRoundTrip(counts, at: now)
        if counts.packetsDropped > windowCounts.packetsDropped { lossDelay = .seconds(1) }
        let begin = windowBegin ?? now
        windowBegin = begin
        if begin.duration(to: now) >= Self.window {
            let sent = counts.packetsSent - windowCounts.packetsSent
            let lost = counts.packetsLost - windowCounts.packetsLost
            if counts.packetsDropped > windowCounts.packetsDropped {
                lossDelay = .seconds(1)
            } else if sent >= 20, Double(lost) > Double(sent) * Self.lossShare {
                lossDelay = .milliseconds(300)
            } else {
                lossDelay = .zero
            }
            (windowBegin, windowCounts) = (now, counts)
        }
        return max(counts.roundTripTime - shortest, lossDelay)
    }

    private mutating func shortestRoundTrip(_ counts: SRTCounts, at now: Timestamp) -> Duration {
        // Before the first answer it is SRT's own guess, 100 ms.
        guard counts.packetsSent > 0 else { return counts.roundTripTime }
        if let begin = stretchBegin, begin.duration(to: now) >= Self.stretch {
            (shortest, shortestBefore, stretchBegin) = (nil, shortest, now)
        }
        stretchBegin = stretchBegin ?? now
        let present = min(shortest ?? counts.roundTripTime, counts.roundTripTime)
        shortest = present
        return min(present, shortestBefore ?? present)
    }
}
#endif
