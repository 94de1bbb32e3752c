#if Media
internal import PipFrames

/// How a connection is made.
struct StreamOptions: Sendable, Equatable {
    /// How long packets may be on their way before they count as lost; nil takes what suits the protocol.
    var latency: Duration?
    /// True to ask an RTSP server for UDP, with TCP where that does not come through.
    var usesUDP = false

    /// The properties of the element that makes the connection.
    ///
    /// - Parameter kind: The name of its type: `GstRTSPSrc`.
    /// - Returns: Properties with their values.
    func properties(of kind: String) -> [(String, String)] {
        let milliseconds = latency.map { max(0, $0.nanoseconds / 1_000_000) }
        switch kind {
        case "GstRTSPSrc":
            return [
                ("latency", "\(milliseconds ?? 200)"), ("protocols", usesUDP ? "udp+tcp" : "tcp"),
                ("tcp-timeout", "5000000"), ("drop-on-latency", "true"),
            ]
        case "GstSRTSrc":
            // A connection that breaks is made anew by us, who say so.
            return [("auto-reconnect", "false")] + (milliseconds.map { [("latency", "\($0)")] } ?? [])
        case "GstRtpSrc": return [("latency", "\(milliseconds ?? 200)")]
        case "GstSoupHTTPSrc": return [("timeout", "10"), ("retries", "0"), ("keep-alive", "true")]
        default: return []
        }
    }
}
#endif
