#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// A stream that RTSP players pull from this program: VLC, FFmpeg, recorders, home automation.
///
/// Connect the broadcast to a picture to serve the picture.
///
/// ```swift
/// let address = try StreamAddress("rtsp://viewer:secret@0.0.0.0:8554/cam")
/// let output = picture --> RTSPBroadcast(address)
/// ```
///
/// An address `rtsps://…` is served by TLS, with a ``ServerCertificate``. A broadcast with a name is announced in the
/// local network (mDNS), where players and recorders list it.
///
/// All players share one encoder, which runs only while a player is connected. Broadcasts of a session at the same host
/// and port share a server, each with a path of its own. A slow player does not delay the others, and is let go.
///
/// Source: RFC 2326 (RTSP), RFC 2617 (digest authentication), RFC 6763 (DNS-SD).
public struct RTSPBroadcast: Sink {
    private let address: StreamAddress
    private let encoding: VideoEncoding
    private let sound: (any AudioProducer)?
    private let soundEncoding: AudioEncoding
    private let certificate: ServerCertificate?
    private let name: String?

    /// The codecs of pictures that players receive, the default one first.
    public static let codecs: [VideoCodec] = [.h264, .h265, .mjpeg]

    /// Creates a broadcast, which listens when its session opens.
    ///
    /// - Parameters:
    ///   - address: The address at which to listen: `rtsp://` or `rtsps://`, the host `0.0.0.0` for players on other
    ///     machines, the port and the path. Players must send its user name and password, if it has them.
    ///   - encoding: The encoding of pictures.
    ///   - sound: The sound, sent as AAC: a mixer, or one of its inputs. Nil for a broadcast without sound.
    ///   - soundBitRate: The bit rate of the sound in bits a second.
    ///   - certificate: The certificate for an address `rtsps://`.
    ///   - name: The name by which others find the stream in the local network, such as `Front door`, of at most 63
    ///     bytes. Nil for a stream that is not announced.
    public init(
        _ address: StreamAddress, encoding: VideoEncoding = VideoEncoding(.h264), sound: (any AudioProducer)? = nil,
        soundBitRate: Int = 128_000, certificate: ServerCertificate? = nil, name: String? = nil
    ) {
        self.address = address
        self.encoding = encoding
        self.sound = sound
        soundEncoding = AudioEncoding(.aac, bitRate: soundBitRate)
        (self.certificate, self.name) = (certificate, name)
    }

    /// The address at which players find the stream, without the password.
    public var label: String { address.description }

    public var destination: SinkDestination? { .path("rtsp-server:\(address.location)") }

    public var opening: SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                if let mistake { throw SinkError(label, "be served", .invalidOptions, mistake) }
                do throws(MediaError) {
                    let format = try EncoderChoice.format(encoding)
                    if let obstacle = RTSPListener.obstacle ?? (name == nil ? nil : ServiceAnnouncement.obstacle) {
                        throw MediaError(kind: .missing, reason: obstacle)
                    }
                    try GStreamer.require(RTSPMount.elements(encoding.codec, hasSound: sound != nil))
                    return SinkRequest(format: format)
                } catch { throw SinkError(label, "be served", .cannotCreate, error.reason) }
            },
            encoder: { info, rate in EncoderChoice.explained(encoding, info, rate, output: label) },
            heldFrames: EncoderChoice.heldFrames(encoding), inputs: sound.map { SoundInputs([$0]) },
            open: { context throws(SinkError) in
                let size = context.info.layout.size
                if encoding.codec == .mjpeg, max(size.width, size.height) > 2040 {
                    throw SinkError(
                        label, "open", .invalidOptions,
                        "RTP carries JPEG pictures of at most 2040x2040, not \(size); choose a size or another codec")
                }
                let encoder = try sharedEncoder(encoding, context, label: label)
                let sound = try sound?.node.open(soundEncoding, label: label, context)
                let mount = try serve(context, hasSound: sound != nil)
                let announcement = announcement(context)
                return AudienceSender(
                    encoder, sound: sound, to: mount, context: context, label: label, onEnd: { announcement?.end() })
            })
    }

    /// Listens at the address.
    private func serve(_ context: SinkContext, hasSound: Bool) throws(SinkError) -> RTSPMount {
        let place = RTSPListener.Place(host: address.host, port: address.port)
        let server = context.shared.object(for: place) { RTSPServer(place) }
        let user = address.user.map { RTSPListener.User(name: $0, password: address.password ?? "") }
        let path = address.path.isEmpty ? "/" : address.path
        let mount = RTSPMount(path, encoding.codec, hasSound: hasSound, for: user, on: server)
        do throws(MediaError) { try server.add(mount, certificate) } catch {
            throw SinkError(label, "be served", .cannotCreate, error.reason)
        }
        return mount
    }

    /// Announces the stream; nil for a stream without a name.
    private func announcement(_ context: SinkContext) -> ServiceAnnouncement? {
        guard let name else { return nil }
        let type = address.transport == .rtsps ? "_rtsps._tcp" : "_rtsp._tcp"
        let path = address.path.isEmpty ? "/" : address.path
        return ServiceAnnouncement(.init(name: name, type: type, port: address.port, text: "path=\(path)")) { [label] in
            context.onEvent(.warning(sink: label, $0))
        }
    }

    /// The mistake in the address or the encodings, as a sentence without its full stop; nil if there is none.
    private var mistake: String? {
        switch address.transport {
        case .rtsp:
            if certificate != nil { return "a server with a certificate has an address that begins with rtsps://" }
        case .rtsps: if certificate == nil { return "a server by TLS needs a certificate" }
        default: return "an RTSP server has an address that begins with rtsp:// or rtsps://"
        }
        if let name {
            guard (1...ServiceAnnouncement.Service.longestName).contains(name.utf8.count) else {
                return "the name to announce must have 1 to \(ServiceAnnouncement.Service.longestName) bytes"
            }
            if name.unicodeScalars.contains(where: { $0.value < 32 }) { return "the name to announce is one line" }
            if Authority.isLoopback(address.host) {
                return "a server that listens at \(address.host) alone cannot be announced in the network: "
                    + "listen at 0.0.0.0"
            }
        }
        if !address.query.isEmpty { return "the address of an RTSP server has no option \(address.query[0].key)" }
        if address.user != nil, address.password?.isEmpty ?? true {
            return "its user has no password: write rtsp://user:password@host"
        }
        guard Self.codecs.contains(encoding.codec) else {
            let names = Self.codecs.map(\.name).joined(separator: ", ")
            return "an RTSP server cannot send \(encoding.codec.name); it sends \(names)"
        }
        return encoding.mistake ?? soundEncoding.mistake
    }
}
#endif
