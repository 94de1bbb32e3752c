#if Media
/// The track of sound in a WebRTC connection: Opus, which every browser plays.
///
/// Source: RFC 7587 for Opus, RFC 7874 for the codecs that browsers must play.
struct SoundTrack: Equatable {
    /// The RTP payload type.
    let payload: Int
    /// The identifier of the RTP source (SSRC), chosen at random.
    let source = UInt32.random(in: 1..<UInt32.max)

    /// Creates the track for an offer of ours.
    init() { payload = 111 }

    /// Creates the track for another side's offer; nil when the other side does not play Opus.
    init?(in section: SessionDescription.Section) {
        guard let format = section.formats.first(where: { $0.name == "OPUS" }) else { return nil }
        payload = format.payload
    }

    /// The GStreamer elements that make RTP packets of Opus.
    static let elements = ["rtpopuspay"]

    /// The part of the pipeline from an `appsrc` named `sound` to a `webrtcbin` named `peer`.
    var description: String {
        """
        appsrc name=sound is-live=true ! rtpopuspay mtu=1200 pt=\(payload) \
        ! application/x-rtp,media=audio,encoding-name=OPUS,payload=\(payload),ssrc=(uint)\(source) ! peer.
        """
    }

    /// The RTP caps of the track, for the negotiation.
    var preferences: PacketFormat {
        PacketFormat(
            parsing: """
                application/x-rtp,media=audio,encoding-name=OPUS,payload=\(payload),clock-rate=48000,\
                encoding-params=(string)2
                """)
    }
}
#endif
