#if Media
internal import CGStreamer

/// The counters of the RTP packets sent over a connection, and the counters in the peer's reports.
///
/// Source: W3C "Identifiers for WebRTC's Statistics API"; the fields have GStreamer's names.
struct RTPCounts: Sendable, Equatable {
    var packetsSent = 0
    var bytesSent = 0
    /// The number of packets that the peer reports as lost.
    var packetsLost = 0
    /// The round-trip time; nil before the peer's first report.
    var roundTripTime: Duration?
    /// The sum of the sequence numbers of the latest packets that the peer received, over all tracks.
    ///
    /// The sum grows as long as the peer receives any track. Nil before the peer's first report.
    var latestReceived: Int?

    init() {}

    /// Reads the counters from the statistics of `webrtcbin`.
    ///
    /// - Parameter reply: The reply to the signal `get-stats`: one structure for each measured object.
    @unsafe init(_ reply: UnsafePointer<GstStructure>) {
        for index in unsafe 0..<max(0, gst_structure_n_fields(reply)) {
            guard let name = unsafe gst_structure_nth_field_name(reply, guint(index)),
                let part = unsafe structure(reply, String(cString: name))
            else { continue }
            switch unsafe pip_enumeration_field(part, "type") {
            case PIP_WEBRTC_STATS_OUTBOUND_RTP:
                packetsSent += unsafe wholeNumber(part, "packets-sent") ?? 0
                bytesSent += unsafe wholeNumber(part, "bytes-sent") ?? 0
            case PIP_WEBRTC_STATS_REMOTE_INBOUND_RTP:
                packetsLost += unsafe wholeNumber(part, "packets-lost") ?? 0
                var seconds = 0.0
                if unsafe gst_structure_get_double(part, "round-trip-time", &seconds) != 0, seconds > 0 {
                    roundTripTime = .seconds(seconds)
                }
                if let source = unsafe structure(part, "gst-rtpsource-stats"),
                    let number = unsafe wholeNumber(source, "rb-exthighestseq")
                {
                    latestReceived = (latestReceived ?? 0) + number
                }
            default: break
            }
        }
    }
}
#endif
