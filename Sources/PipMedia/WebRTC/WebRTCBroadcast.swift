#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// A stream to many WebRTC viewers, who share one encoder.
///
/// Connect the broadcast to a picture to show the picture in browsers with little delay.
///
/// ```swift
/// let broadcast = WebRTCBroadcast()
/// let output = picture --> broadcast
/// …
/// let viewer = try await broadcast.answer(offer)  // what a page has sent; viewer.description goes back to it
/// ```
///
/// A viewer whose offer has an audio section also receives the sound, as Opus.
///
/// The app must carry the session descriptions to viewers and back; ``WHEPEndpoint`` does this for HTTP servers.
///
/// Frames are encoded only while a viewer is connected. A slow viewer does not delay the others, and a lost viewer is
/// removed.
public final class WebRTCBroadcast: Sink {
    public let label: String
    private let encoding: VideoEncoding
    private let sound: (any AudioProducer)?
    private let soundEncoding: AudioEncoding
    private let servers: [ICEServer]
    private let viewerLimit: Int
    /// The peers of the open output; nil while no session has opened the output.
    private let group = Mutex<PeerGroup?>(nil)

    /// Creates a broadcast, which accepts viewers while a session runs.
    ///
    /// - Parameters:
    ///   - encoding: The encoding: H.264 or VP8.
    ///   - sound: The sound: a mixer, or one of its inputs. Nil for a broadcast without sound.
    ///   - soundBitRate: The bit rate of the sound in bits a second.
    ///   - iceServers: The servers that help to connect through routers. A local network needs none.
    ///   - viewerLimit: The largest number of viewers at a time.
    ///   - name: The output's name in messages and statistics.
    public init(
        encoding: VideoEncoding = .webRTC(), sound: (any AudioProducer)? = nil, soundBitRate: Int = 96_000,
        iceServers: [ICEServer] = [], viewerLimit: Int = 64, name: String = "webrtc"
    ) {
        label = name
        self.encoding = encoding
        self.sound = sound
        soundEncoding = AudioEncoding(.opus, bitRate: soundBitRate)
        servers = iceServers
        self.viewerLimit = viewerLimit
    }

    public var destination: SinkDestination? { .object(ObjectIdentifier(self)) }

    public var opening: SinkOpening {
        .peers(label, encoding, sound: sound.map { ($0, soundEncoding) }, servers: servers) {
            [self] context throws(SinkError) in
            let group = PeerGroup(limit: viewerLimit)
            let encoder = try sharedEncoder(encoding, context, label: label)
            let sound = try sound?.node.open(soundEncoding, label: label, context)
            self.group.withLock { $0 = group }
            return AudienceSender(
                encoder, sound: sound, to: group, context: context, label: label,
                onEnd: { [weak self] in self?.group.withLock { if $0 === group { $0 = nil } } })
        }
    }

    // MARK: Viewers

    /// The broadcast's session description, which the app must send to the viewer.
    public struct Negotiation: Sendable {
        /// The viewer's identifier.
        public let id: String
        /// The session description (SDP), an answer or an offer, with all addresses of this machine.
        public let description: String
    }

    /// The connected and connecting viewers, in no particular order.
    public var viewers: [WebRTCViewer] {
        (group.withLock { $0 }?.peers ?? []).map { WebRTCViewer($0.id, $0.peer) }
    }

    /// Answers a viewer's offer.
    ///
    /// The viewer receives the picture as soon as the connection is made.
    ///
    /// - Parameter offer: The viewer's session description (SDP), with a video section that can receive.
    /// - Returns: The broadcast's answer, and the new viewer's identifier.
    /// - Throws: ``WebRTCError`` when the viewer cannot be served.
    public func answer(_ offer: String) async throws(WebRTCError) -> Negotiation {
        let offered = try checked { () throws(MediaError) in try SessionDescription(offer) }
        guard let video = offered.receivingVideo else {
            throw WebRTCError(label, .invalidDescription, "the offer has no video section that receives")
        }
        let track: VideoTrack
        do throws(MediaError) { track = try VideoTrack(encoding, in: offered.sections[video]) } catch {
            throw WebRTCError(label, .unsupported, error.reason)
        }
        let audio = sound == nil ? nil : offered.receivingSound
        let heard = audio.flatMap { SoundTrack(in: offered.sections[$0]) }
        let taken = [video] + (heard == nil ? [] : [audio].compactMap(\.self))
        return try await admit(track, heard) { peer throws(MediaError) in
            try peer.answer(offered.reduced(to: taken)).expanded(answering: offered, at: taken)
        }
    }

    /// Makes an offer, for viewers that make none themselves.
    ///
    /// Pass the viewer's answer to ``accept(_:from:)``.
    ///
    /// - Returns: The broadcast's offer, and the new viewer's identifier.
    /// - Throws: ``WebRTCError`` when there is no room for a viewer, when no session sends the broadcast, or when the
    ///   media engine fails.
    public func offer() async throws(WebRTCError) -> Negotiation {
        try await admit(VideoTrack(encoding.codec), sound == nil ? nil : SoundTrack()) { peer throws(MediaError) in
            try peer.offer()
        }
    }

    /// Accepts a viewer's answer to the broadcast's offer.
    ///
    /// - Parameters:
    ///   - answer: The viewer's session description (SDP).
    ///   - id: The viewer's identifier.
    /// - Throws: ``WebRTCError`` when the viewer is unknown, or when the answer is invalid or refuses the picture.
    public func accept(_ answer: String, from id: String) async throws(WebRTCError) {
        let answered = try checked { () throws(MediaError) in try SessionDescription(answer) }
        guard let peer = group.withLock({ $0 })?[id] else {
            throw WebRTCError(label, .unknownViewer, "there is no viewer \(id)")
        }
        let result = await onThread { () throws(MediaError) in try peer.accept(answered) }
        if case .failure(let error) = result { throw self.error(error) }
    }

    /// Removes a viewer and closes its connection.
    ///
    /// - Parameter id: The viewer's identifier.
    /// - Throws: ``WebRTCError`` when the viewer is unknown.
    public func remove(_ id: String) throws(WebRTCError) {
        guard group.withLock({ $0 })?.remove(id) == true else {
            throw WebRTCError(label, .unknownViewer, "there is no viewer \(id)")
        }
    }

    /// True while a session sends the broadcast to viewers.
    package var isRunning: Bool { group.withLock { $0 != nil } }

    /// Makes a connection for a new viewer, and negotiates it.
    private func admit(
        _ track: VideoTrack, _ sound: SoundTrack?,
        _ negotiate: @escaping @Sendable (PeerConnection) throws(MediaError) -> SessionDescription
    ) async throws(WebRTCError) -> Negotiation {
        guard let group = group.withLock({ $0 }) else {
            throw WebRTCError(label, .notRunning, "no session sends the broadcast now")
        }
        let id = Self.randomName()
        let full = "the broadcast has \(viewerLimit) viewers, the largest number allowed"
        let result = await onThread { [servers] () throws(MediaError) in
            let peer = try PeerConnection(track, sound: sound, servers: servers) { [weak group] in
                group?.handle($0, of: id)
            }
            switch group.add(peer, as: id) {
            case .taken: break
            case .full: throw MediaError(kind: .full, reason: full)
            case .closed: throw MediaError(kind: .failed, reason: "no session sends the broadcast now")
            }
            do throws(MediaError) { return try negotiate(peer).text } catch {
                group.remove(id)
                throw error
            }
        }
        switch result {
        case .success(let description): return Negotiation(id: id, description: description)
        case .failure(let error): throw self.error(error)
        }
    }

    private func checked(
        _ body: () throws(MediaError) -> SessionDescription
    ) throws(WebRTCError) -> SessionDescription {
        do throws(MediaError) { return try body() } catch {
            throw WebRTCError(label, .invalidDescription, error.reason)
        }
    }

    private func error(_ error: MediaError) -> WebRTCError {
        let kind: WebRTCError.Kind =
            switch error.kind {
            case .unsupported: .unsupported
            case .full: .full
            case .missing, .network, .refused, .failed: .failed
            }
        return WebRTCError(label, kind, error.reason)
    }

    private static func randomName() -> String {
        (0..<2).map { _ in String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16) }.joined()
    }
}
#endif
