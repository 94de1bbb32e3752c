#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The picture for a WebRTC server that speaks WHIP, which passes it on to viewers.
///
/// ```swift
/// let stream = picture --> WHIPStream("https://live.example.org/whip/car-7", token: secret)
/// ```
///
/// A server that cannot be reached, refuses or vanishes is tried again for ever, from a key frame; other outputs do not
/// notice. Neither the token nor the address's path, which many servers know publishers by, is in any message.
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

    /// - Parameters:
    ///   - address: Where offers go: `https://host/path`, or `http://` in a network that is trusted.
    ///   - token: The publisher's, sent as `Authorization: Bearer …`; nil for a server that wants none.
    ///   - encoding: How it is compressed: H.264 or VP8.
    ///   - sound: Its sound, as Opus: a mixer, or one input of it; nil for none.
    ///   - soundBitRate: Bits a second of the sound.
    ///   - iceServers: Who helps to find a way through routers; a server with a public address needs none.
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
        .peers(label, encoding, sound == nil ? nil : soundEncoding, servers, mistake: mistake) {
            context throws(SinkError) in
            let group = PeerGroup(limit: 1)
            let encoder = try sharedEncoder(encoding, context, label: label)
            let sound = try sound?.node.open(soundEncoding, label: label, context)
            let plan = WHIPPublisher.Plan(
                address: address, token: token, label: label, track: VideoTrack(encoding.codec),
                sound: sound == nil ? nil : SoundTrack(), servers: servers)
            return WHIPOutput(encoder, sound, plan, group, context)
        }
    }

    /// What is wrong with the address or the token, as a sentence without its full stop; nil when all is well.
    private var mistake: String? {
        if let obstacle = HTTPClient.obstacle { return obstacle }
        if HTTPClient.host(of: address) == nil { return "a WHIP server's address is https://host/path" }
        if token?.utf8.contains(where: { $0 <= 32 || $0 > 126 }) == true {
            return "its token has a character that no token has"
        }
        return nil
    }
}

/// An output that is published: frames go to an encoder, its packets to the server that is connected.
final class WHIPOutput: FrameReceiver {
    private let sender: PeerSender
    private let publisher: WHIPPublisher

    init(
        _ encoder: VideoEncoder, _ sound: (tap: SoundTap, feed: SoundFeed)?, _ plan: WHIPPublisher.Plan,
        _ group: PeerGroup, _ context: SinkContext
    ) {
        let publisher = WHIPPublisher(plan, group, onEvent: context.onEvent)
        self.publisher = publisher
        sender = PeerSender(
            encoder, sound, group, context, label: plan.label, onDeparture: { publisher.noteDeparture($0) },
            onEnd: { publisher.end() })
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
