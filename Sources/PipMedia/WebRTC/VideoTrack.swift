#if Media
/// A picture as packets of RTP: how it is encoded, and how its packets are numbered and named.
///
/// A track of sound would be another one beside it in a ``PeerConnection``'s pipeline.
///
/// Source: RFC 6184 for H.264, RFC 7741 for VP8, RFC 7742 for what browsers have to play.
struct VideoTrack: Equatable {
    /// Those that browsers play.
    static let codecs: [VideoCodec] = [.h264, .vp8]

    let codec: VideoCodec
    /// The number of its payload type.
    let payload: Int
    /// The number of its source, by which packets that are sent again are told from the first ones.
    let source = UInt32.random(in: 1..<UInt32.max)

    /// The track as we offer it.
    init(_ codec: VideoCodec) {
        self.codec = codec
        payload = 96
    }

    /// The track as another offers to receive it.
    ///
    /// - Parameters:
    ///   - encoding: How it is encoded.
    ///   - section: The other's media section.
    /// - Throws: ``MediaError`` when the other does not play the codec.
    init(_ encoding: VideoEncoding, in section: SessionDescription.Section) throws(MediaError) {
        codec = encoding.codec
        let name = encoding.codec.rtpName
        let formats = section.formats
        // The least demanding profile: decoders that are asked for it play what was encoded for the others, too.
        let ranked = formats.enumerated().filter { $0.element.name == name }
            .sorted { ($0.element.rank(for: encoding), $0.offset) < ($1.element.rank(for: encoding), $1.offset) }
        guard let best = ranked.first?.element else {
            var names: [String] = []
            for format in formats where !["RTX", "RED", "ULPFEC", "FLEXFEC-03"].contains(format.name) {
                if !names.contains(format.name) { names.append(format.name) }
            }
            throw MediaError(
                kind: .unsupported,
                reason: "the viewer does not play \(encoding.codec.name)"
                    + (names.isEmpty ? "" : ", but \(names.joined(separator: ", "))"))
        }
        payload = best.payload
    }

    /// The elements that make packets of RTP, which need more than the engine's core.
    static let elements = ["rtph264pay", "rtpvp8pay", "webrtcbin", "nicesrc", "nicesink", "dtlsenc", "srtpenc"]

    /// From an `appsrc` called `video` to a `webrtcbin` called `peer`.
    var description: String {
        let payloader =
            codec == .vp8
            ? "rtpvp8pay picture-id-mode=15-bit" : "rtph264pay config-interval=-1 aggregate-mode=zero-latency"
        return """
            appsrc name=video is-live=true ! \(payloader) mtu=1200 pt=\(payload) \
            ! application/x-rtp,media=video,encoding-name=\(codec.rtpName),payload=\(payload),ssrc=(uint)\(source) \
            ! peer.
            """
    }

    /// What is negotiated of the codec.
    ///
    /// - Parameter isOffer: Whether it goes into our offer; in an answer the other's parameters stand.
    /// - Returns: What the engine compares with the other's formats.
    func preferences(isOffer: Bool) -> PacketFormat {
        let parameters =
            isOffer && codec == .h264
            ? ",packetization-mode=(string)1,profile-level-id=(string)42e01f,level-asymmetry-allowed=(string)1" : ""
        return PacketFormat(
            parsing: """
                application/x-rtp,media=video,encoding-name=\(codec.rtpName),payload=\(payload),clock-rate=90000\
                \(parameters)
                """)
    }
}

extension VideoCodec {
    /// The encoding's name in session descriptions.
    fileprivate var rtpName: String { rawValue.uppercased() }
}

extension SessionDescription.Format {
    /// How well it fits what is sent, the best first.
    fileprivate func rank(for encoding: VideoEncoding) -> Int {
        guard encoding.codec == .h264 else { return 0 }
        let profiles = ["42e0", "42c0", "4200", "4d00", "6400"]
        let profile = parameters["profile-level-id"].map { String($0.prefix(4)) } ?? "4200"
        let isWhole = parameters["packetization-mode"] == "1"
        return (isWhole ? 0 : 100) + (profiles.firstIndex(of: profile) ?? profiles.count)
    }
}
#endif
