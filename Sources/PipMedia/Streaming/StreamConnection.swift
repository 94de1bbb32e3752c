#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// One connection of a stream to its server.
///
/// A connection is not used again after it has failed: `StreamLoop` makes a new connection.
final class StreamConnection: Sendable {
    private let address: StreamAddress
    private let pipeline: Pipeline
    private let inlet: Inlet
    private let sound: TrackInlet?
    private let start = Monitor<Timestamp?>(nil)
    private let socket: StreamSocket
    private let path = Monitor(SRTPath())

    /// Opens a connection, and starts its pipeline.
    ///
    /// - Parameters:
    ///   - plan: The plan of the stream.
    ///   - format: The format of the picture's packets.
    ///   - sound: The format of the sound's packets. Nil for a stream without sound.
    /// - Throws: ``MediaError`` when the pipeline cannot be made, or does not start.
    init(_ plan: StreamLoop.Plan, format: PacketFormat, sound: PacketFormat?) throws(MediaError) {
        address = plan.address
        socket = StreamSocket(port: address.transport.isTCP ? address.port : nil)
        pipeline = try Pipeline(address.transport.description(plan.codec, hasSound: sound != nil))
        if sound != nil, address.transport.isRTSP { try pipeline.publish("parsed", by: "rtpmp4gpay", to: "out") }
        for (name, properties) in address.properties(hasSound: sound != nil) {
            for (property, value) in properties { pipeline.set(property, of: name, to: value) }
        }
        for name in address.transport.timedElements(hasSound: sound != nil) {
            pipeline.set("sync", of: name, to: plan.isPaced ? "true" : "false")
        }
        inlet = Inlet("video", of: pipeline)
        inlet.use(format)
        self.sound = sound.map { [pipeline] in TrackInlet("sound", of: pipeline, $0) }
        try pipeline.play()
    }

    /// Sets the format of the following picture packets.
    func use(_ format: PacketFormat) { inlet.use(format) }

    /// Sends a picture packet.
    ///
    /// Never blocks.
    ///
    /// - Returns: False when the connection no longer accepts packets.
    func send(_ packet: Packet) -> Bool {
        let beginning = start.update { start in
            start = start ?? packet.time
            return start ?? packet.time
        }
        guard let buffer = unsafe packet.copy(from: beginning) else { return false }
        return unsafe inlet.push(buffer)
    }

    /// Sends a sound packet; drops a packet from before the first picture.
    ///
    /// Never blocks.
    func sendSound(_ packet: Packet) {
        guard let start = start.read({ $0 }), packet.time >= start, let buffer = unsafe packet.copy(from: start) else {
            return
        }
        // A connection that no longer accepts packets reports its failure with the next picture.
        if let sound { _ = unsafe sound.inlet.push(buffer) }
    }

    /// The number of picture packets that wait for the network.
    var waitingPackets: Int { inlet.level }

    /// The number of bytes in the socket that the receiver's system has not acknowledged; 0 for any transport but TCP.
    var unacknowledgedBytes: Int { socket.unacknowledgedBytes }

    /// The number of bytes that the receiver's system has acknowledged; nil when unknown, for example for transports
    /// other than TCP.
    var acknowledgedBytes: Int? { socket.acknowledgedBytes }

    /// The estimated delay on the path to the receiver, for SRT; zero for other transports.
    ///
    /// The delay is also zero for an SRT connection that waits for callers, so that one slow caller does not lower the
    /// bit rate for all.
    func pathDelay(at now: Timestamp) -> Duration {
        guard address.transport == .srt,
            let counts = unsafe pipeline.withStructure("stats", of: "out", { unsafe SRTCounts($0) })
        else { return .zero }
        return path.update { $0.delay(counts, at: now) }
    }

    /// Writes the file from which players learn the stream's addresses and formats.
    ///
    /// - Parameter file: The description file.
    /// - Returns: False while a track has sent no packet; the file is then not written.
    /// - Throws: ``PipSinks/SinkError`` when the file cannot be written.
    func describe(in file: StreamDescriptionFile) throws(SinkError) -> Bool {
        // RTP and RTCP take two ports a track: the sound's two follow the picture's two.
        let sinks = sound == nil ? [("out", address.port)] : [("out", address.port), ("sound-out", address.port + 2)]
        var tracks: [StreamDescriptionFile.Track] = []
        for (name, port) in sinks {
            guard let caps = unsafe pipeline.inputCaps(of: name) else { return false }
            tracks.append(unsafe StreamDescriptionFile.Track(caps, port: port))
        }
        try file.write(tracks, to: address)
        return true
    }

    /// The reason why the connection has ended; nil while the connection works.
    func failure() -> MediaError? {
        while let message = pipeline.nextMessage() {
            switch message {
            case .failed(let error): return error
            // GStreamer reports a broken SRT connection as a warning.
            case .warning(let text) where address.transport == .srt: return MediaError(kind: .network, reason: text)
            case .warning: break
            case .ended: return MediaError(kind: .network, reason: "the connection was closed")
            }
        }
        return nil
    }

    /// Closes the connection, after waiting up to `timeout` for queued packets to be sent.
    func close(within timeout: Duration) {
        inlet.end()
        sound?.inlet.end()
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: timeout)
        wait: while clock.now < deadline {
            switch pipeline.nextMessage(within: .milliseconds(20)) {
            case .ended, .failed: break wait
            case .warning, nil: break
            }
        }
        pipeline.stop()
    }

    /// Closes the connection at once, and discards queued packets.
    func cut() { pipeline.stop() }
}

extension StreamAddress.Transport {
    /// The codecs of pictures that the transport can carry, the default one first.
    public var codecs: [VideoCodec] {
        switch self {
        case .rtmp, .rtmps: [.h264]
        case .srt, .udp: [.h264, .h265]
        case .rtsp, .rtsps, .rtp: [.h264, .h265, .vp8, .vp9]
        }
    }

    /// The codec of the transport's sound.
    public var audioCodec: AudioEncoding.Codec { self == .rtp ? .opus : .aac }

    /// The pipeline of a connection, in the notation of `gst-launch-1.0`.
    func description(_ codec: VideoCodec, hasSound: Bool) -> String {
        guard hasSound else { return "appsrc name=video ! \(tail(codec))" }
        switch self {
        case .rtmp, .rtmps: return "appsrc name=video ! \(tail(codec)) appsrc name=sound ! mux.audio"
        case .srt, .udp:
            return
                "appsrc name=video ! \(tail(codec)) appsrc name=sound ! aacparse ! audio/mpeg,stream-format=adts ! mux."
        case .rtsp, .rtsps: return "appsrc name=video ! \(tail(codec)) appsrc name=sound ! aacparse name=parsed"
        case .rtp:
            // RTP timestamps of each stream start at a random number. RTCP reports relate the streams' timestamps to
            // each other.
            return """
                rtpbin name=rtp appsrc name=video ! \(codec.payloader) ! rtp.send_rtp_sink_0 \
                rtp.send_rtp_src_0 ! udpsink name=out async=false \
                rtp.send_rtcp_src_0 ! udpsink name=reports async=false sync=false \
                appsrc name=sound ! rtpopuspay pt=97 ! rtp.send_rtp_sink_1 \
                rtp.send_rtp_src_1 ! udpsink name=sound-out async=false \
                rtp.send_rtcp_src_1 ! udpsink name=sound-reports async=false sync=false
                """
        }
    }

    /// The elements that send the picture, from the parser to the sink.
    private func tail(_ codec: VideoCodec) -> String {
        switch self {
        case .rtmp, .rtmps: "\(codec.containerParser)flvmux name=mux streamable=true ! rtmp2sink name=out async=false"
        case .srt: "\(codec.containerParser)mpegtsmux name=mux alignment=7 ! srtsink name=out async=false"
        case .udp: "\(codec.containerParser)mpegtsmux name=mux alignment=7 ! udpsink name=out async=false"
        case .rtsp, .rtsps: "\(codec.containerParser)rtspclientsink name=out"
        case .rtp: "\(codec.payloader) ! udpsink name=out async=false"
        }
    }

    /// The names of the GStreamer elements that a connection needs.
    ///
    /// Opening a ``LiveStream`` fails, and names the elements, when some are missing.
    func elements(_ codec: VideoCodec, hasSound: Bool) -> [String] {
        let sound: [String] =
            switch self {
            case .rtmp, .rtmps: []
            case .srt, .udp: ["aacparse"]
            case .rtsp, .rtsps: ["aacparse", "rtpmp4gpay"]
            case .rtp: ["rtpbin", "rtpopuspay"]
            }
        return tail(codec).split(separator: "!").compactMap { part in
            part.split(separator: " ").first.map(String.init).flatMap { $0.contains("/") ? nil : $0 }
        } + (hasSound ? sound : [])
    }

    /// True for transports that run over TCP.
    fileprivate var isTCP: Bool {
        switch self {
        case .rtmp, .rtmps, .rtsp, .rtsps: true
        case .srt, .udp, .rtp: false
        }
    }

    fileprivate var isRTSP: Bool { self == .rtsp || self == .rtsps }

    /// The names of the sink elements that can pace the packets by their times.
    fileprivate func timedElements(hasSound: Bool) -> [String] {
        if isRTSP { return [] }
        return self == .rtp && hasSound ? ["out", "sound-out"] : ["out"]
    }
}

extension VideoCodec {
    /// The elements that parse the codec's packets and split them into RTP packets.
    var payloader: String {
        switch self {
        // The parser repeats the parameter sets before each key frame; the payloader would do so before each of its
        // slices, after which FFmpeg takes one picture for two.
        case .h264: "h264parse config-interval=-1 ! rtph264pay aggregate-mode=zero-latency pt=96"
        case .h265: "h265parse config-interval=-1 ! rtph265pay aggregate-mode=zero-latency pt=96"
        case .vp8: "rtpvp8pay pt=96"
        case .vp9: "vp9parse ! rtpvp9pay pt=96"
        case .av1: "av1parse ! rtpav1pay pt=96"
        case .mjpeg: "rtpjpegpay pt=26"
        }
    }
}

extension StreamAddress {
    /// The properties of the elements that send, keyed by element name.
    fileprivate func properties(hasSound: Bool) -> [(String, [(String, String)])] {
        guard transport == .rtp, hasSound else { return [("out", properties)] }
        return ["out", "reports", "sound-out", "sound-reports"].enumerated().map { index, name in
            (name, properties.filter { $0.0 != "port" } + [("port", "\(port + index)")])
        }
    }

    /// The properties of the element that sends the picture, as names and values.
    private var properties: [(String, String)] {
        switch transport {
        case .rtmp, .rtmps:
            let query = query.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
            var properties = [("location", location + (query.isEmpty ? "" : "?" + query))]
            if let user { properties.append(("username", user)) }
            if let password { properties.append(("password", password)) }
            return properties
        case .srt:
            let mode = self["mode"] ?? "caller"
            // A receiver answers every 10 ms while packets come, and every second otherwise. By default SRT waits 5 s
            // for an answer, which is too long for a live stream.
            let idleTimeout = mode == "caller" ? "?peeridletimeo=1500" : ""
            var properties = [
                ("uri", "srt://\(Authority.text(host, port))\(idleTimeout)"),
                ("mode", mode), ("wait-for-connection", "false"), ("auto-reconnect", "false"),
            ]
            for key in ["latency", "passphrase", "streamid", "pbkeylen"] {
                if let value = self[key] { properties.append((key, value)) }
            }
            return properties
        case .rtsp, .rtsps:
            var properties = [("location", location), ("protocols", self["protocol"] ?? "tcp")]
            if let user { properties.append(("user-id", user)) }
            if let password { properties.append(("user-pw", password)) }
            return properties
        case .udp, .rtp:
            var properties = [("host", host), ("port", "\(port)")]
            if let hops = self["ttl"] { properties += [("ttl", hops), ("ttl-mc", hops)] }
            return properties
        }
    }
}
#endif
