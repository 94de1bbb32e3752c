#if Media
internal import PipFrames

/// The settings of a connection to a stream's server.
struct StreamOptions: Sendable, Equatable {
    /// The time after which a missing packet counts as lost; nil takes 200 ms for RTSP and RTP, and SRT's default.
    var latency: Duration?
    /// True to request UDP from an RTSP server, and TCP if UDP packets do not arrive.
    var usesUDP = false

    /// Returns the settings as properties of the element that makes the connection.
    ///
    /// - Parameter kind: The name of the element's type, such as `GstRTSPSrc`.
    /// - Returns: The names and values of the properties.
    func properties(of kind: String) -> [(String, String)] {
        let milliseconds = latency.map { max(0, $0.nanoseconds / 1_000_000) }
        switch kind {
        case "GstRTSPSrc":
            return [
                ("latency", "\(milliseconds ?? 200)"), ("protocols", usesUDP ? "udp+tcp" : "tcp"),
                ("tcp-timeout", "5000000"), ("drop-on-latency", "true"),
            ]
        case "GstSRTSrc":
            // `ReceptionLoop` connects again after a break, so that the session learns of the break.
            return [("auto-reconnect", "false")] + (milliseconds.map { [("latency", "\($0)")] } ?? [])
        case "GstRtpSrc": return [("latency", "\(milliseconds ?? 200)")]
        case "GstSoupHTTPSrc": return [("timeout", "10"), ("retries", "0"), ("keep-alive", "true")]
        default: return []
        }
    }
}
#endif
