#if Media
internal import PipFrames

/// The settings of a connection.
struct StreamOptions: Sendable, Equatable {
    /// The time after which a missing packet counts as lost; nil takes the protocol's default.
    var latency: Duration?
    /// True to request UDP from an RTSP server, with TCP where UDP packets do not arrive.
    var usesUDP = false

    /// The properties of the element that makes the connection.
    ///
    /// - Parameter kind: The name of the element's type, such as `GstRTSPSrc`.
    /// - Returns: The names of the properties with their values.
    func properties(of kind: String) -> [(String, String)] {
        let milliseconds = latency.map { max(0, $0.nanoseconds / 1_000_000) }
        switch kind {
        case "GstRTSPSrc":
            return [
                ("latency", "\(milliseconds ?? 200)"), ("protocols", usesUDP ? "udp+tcp" : "tcp"),
                ("tcp-timeout", "5000000"), ("drop-on-latency", "true"),
            ]
        case "GstSRTSrc":
            // The reception loop connects again after a break, so that the session is told of it.
            return [("auto-reconnect", "false")] + (milliseconds.map { [("latency", "\($0)")] } ?? [])
        case "GstRtpSrc": return [("latency", "\(milliseconds ?? 200)")]
        case "GstSoupHTTPSrc": return [("timeout", "10"), ("retries", "0"), ("keep-alive", "true")]
        default: return []
        }
    }
}
#endif
