#if Media
/// The track of pictures in a WebRTC connection: its codec, payload type and RTP source.
///
/// ``SoundTrack`` is the track of sound beside the pictures.
///
/// Source: RFC 6184 for H.264, RFC 7741 for VP8, RFC 7742 for the codecs that browsers must play.
struct VideoTrack: Equatable {
    /// The codecs of WebRTC outputs, which every browser that has WebRTC plays.
    static let codecs: [VideoCodec] = [.h264, .vp8]

    let codec: VideoCodec
    /// The RTP payload type.
    let payload: Int
    /// The identifier of the RTP source (SSRC).
    ///
    /// The SSRC distinguishes packets sent first from those sent again.
    let source = UInt32.random(in: 1..<UInt32.max)

    /// Creates the track for an offer of ours.
    init(_ codec: VideoCodec) {
        self.codec = codec
        payload = 96
    }

    /// Creates the track for another side's offer.
    ///
    /// - Parameters:
    ///   - encoding: The encoding of the picture.
    ///   - section: The other side's video section.
    /// - Throws: ``MediaError`` when the other side does not play the codec.
    init(_ encoding: VideoEncoding, in section: SessionDescription.Section) throws(MediaError) {
        codec = encoding.codec
        let name = encoding.codec.rtpName
        let formats = section.formats
        // Take the format that fits best; among equals, the one that the other side prefers.
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

    /// The elements that ``PeerConnection/checkElements(hasSound:)`` checks for the picture and the connection.
    static let elements = ["rtph264pay", "rtpvp8pay", "webrtcbin", "nicesrc", "nicesink", "dtlsenc", "srtpenc"]

    /// The part of the pipeline from an `appsrc` named `video` to a `webrtcbin` named `peer`.
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

    /// Returns the RTP caps of the track, for the negotiation.
    ///
    /// - Parameter isOffer: True for an offer of ours. In an answer, the other side's parameters apply.
    /// - Returns: The caps that `webrtcbin` compares with the caps of the other side.
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
    /// The codec's name in session descriptions.
    fileprivate var rtpName: String { rawValue.uppercased() }
}

extension SessionDescription.Format {
    /// The rank of an offered format for pictures of the encoding; the lowest rank fits best.
    fileprivate func rank(for encoding: VideoEncoding) -> Int {
        guard encoding.codec == .h264 else { return 0 }
        let profiles = ["42e0", "42c0", "4200", "4d00", "6400"]
        let profile = parameters["profile-level-id"].map { String($0.prefix(4)) } ?? "4200"
        let isWhole = parameters["packetization-mode"] == "1"
        return (isWhole ? 0 : 100) + (profiles.firstIndex(of: profile) ?? profiles.count)
    }
}
#endif
