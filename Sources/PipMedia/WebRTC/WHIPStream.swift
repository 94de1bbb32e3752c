#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// A live stream to a WebRTC server that speaks WHIP and distributes the stream to viewers.
///
/// Connect the stream to a picture to send the picture with little delay.
///
/// ```swift
/// let stream = picture --> WHIPStream("https://live.example.org/whip/car-7", token: secret)
/// ```
///
/// The stream connects again, without a limit, to a server that refuses, vanishes or cannot be reached, and then
/// continues from a key frame. Other outputs are not affected. Messages hide the token, and the path, which many
/// servers use as a key.
///
/// Source: RFC 9725 (WHIP).
public struct WHIPStream: Sink {
    public let label: String
    private let address: String
    private let token: String?
    private let encoding: VideoEncoding
    private let sound: (any AudioProducer)?
    private let soundEncoding: AudioEncoding
    private let servers: [ICEServer]

    /// Creates a stream, which connects when its session opens.
    ///
    /// - Parameters:
    ///   - address: The address for offers: `https://host/path`, or `http://` in a trusted network.
    ///   - token: The publisher's token, sent as `Authorization: Bearer …`. Nil for a server that needs none.
    ///   - encoding: The encoding: H.264 or VP8.
    ///   - sound: The sound, sent as Opus: a mixer, or one of its inputs. Nil for a stream without sound.
    ///   - soundBitRate: The bit rate of the sound in bits a second.
    ///   - iceServers: The servers that help to connect through routers. A WHIP server with a public address needs
    ///     none.
    public init(
        _ address: String, token: String? = nil, encoding: VideoEncoding = .webRTC(), sound: (any AudioProducer)? = nil,
        soundBitRate: Int = 96_000, iceServers: [ICEServer] = []
    ) {
        self.address = address
        self.token = token
        self.encoding = encoding
        self.sound = sound
        soundEncoding = AudioEncoding(.opus, bitRate: soundBitRate)
        servers = iceServers
        let scheme = address.prefix { $0 != ":" }.lowercased()
        label = "whip+\(scheme == "http" ? "http" : "https")://\(HTTPClient.host(of: address) ?? "")/…"
    }

    public var destination: SinkDestination? { .path("whip+\(address)") }

    public var opening: SinkOpening {
        .peers(label, encoding, sound: sound.map { ($0, soundEncoding) }, servers: servers, mistake: mistake) {
            context throws(SinkError) in
            let encoder = try sharedEncoder(encoding, context, label: label)
            let sound = try sound?.node.open(soundEncoding, label: label, context)
            let plan = WHIPPublisher.Plan(
                address: address, token: token, label: label, track: VideoTrack(encoding.codec),
                sound: sound == nil ? nil : SoundTrack(), servers: servers)
            return WHIPOutput(encoder, sound: sound, plan: plan, context: context)
        }
    }

    /// The mistake in the address or the token, or the reason why HTTP does not work here, as a sentence without its
    /// full stop.
    ///
    /// Nil when there is nothing wrong.
    private var mistake: String? {
        if let obstacle = HTTPClient.obstacle { return obstacle }
        if HTTPClient.host(of: address) == nil {
            return "the address of a WHIP server must be https://host/path or http://host/path"
        }
        if token?.utf8.contains(where: { $0 <= 32 || $0 > 126 }) == true {
            return "its token has a space, a control character or a character outside ASCII"
        }
        return nil
    }
}

/// The output of a WHIP stream: hands frames to an encoder, and the packets to the connected server.
final class WHIPOutput: FrameReceiver {
    private let sender: AudienceSender
    private let publisher: WHIPPublisher

    init(
        _ encoder: VideoEncoder, sound: (tap: SoundTap, feed: TrackFeed)?, plan: WHIPPublisher.Plan,
        context: SinkContext
    ) {
        let group = PeerGroup(limit: 1)
        let publisher = WHIPPublisher(plan, group, onEvent: context.onEvent)
        self.publisher = publisher
        sender = AudienceSender(
            encoder, sound: sound, to: group, context: context, label: plan.label, onEnd: { publisher.end() })
        _ = WorkerThread(name: "pip-whip") { publisher.run() }
    }

    deinit { publisher.end() }

    func expect(_ frame: Frame) { sender.expect(frame) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        sender.submit(frame, repeats: repeats, until: deadline)
    }

    var statistics: OutputStatistics {
        var statistics = sender.statistics
        (statistics.error, statistics.connections) = publisher.report
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool { await sender.finish(by: deadline) }
}
#endif
