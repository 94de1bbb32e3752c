#if Media
/// Sound as packets of RTP beside a picture: Opus, which every browser plays.
///
/// Source: RFC 7587 for Opus, RFC 7874 for what browsers have to play.
struct SoundTrack: Equatable {
    /// The number of its payload type.
    let payload: Int
    /// The number of its source.
    let source = UInt32.random(in: 1..<UInt32.max)

    /// The track as we offer it.
    init() { payload = 111 }

    /// The track as another offers to receive it; nil when the other does not play it.
    init?(in section: SessionDescription.Section) {
        guard let format = section.formats.first(where: { $0.name == "OPUS" }) else { return nil }
        payload = format.payload
    }

    /// The elements that make packets of RTP.
    static let elements = ["rtpopuspay"]

    /// From an `appsrc` called `sound` to a `webrtcbin` called `peer`.
    var description: String {
        """
        appsrc name=sound is-live=true ! rtpopuspay mtu=1200 pt=\(payload) \
        ! application/x-rtp,media=audio,encoding-name=OPUS,payload=\(payload),ssrc=(uint)\(source) ! peer.
        """
    }

    /// What is negotiated of the codec.
    var preferences: PacketFormat {
        PacketFormat(
            parsing: """
                application/x-rtp,media=audio,encoding-name=OPUS,payload=\(payload),clock-rate=48000,\
                encoding-params=(string)2
                """)
    }
}
#endif
