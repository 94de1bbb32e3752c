#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames

/// A WebRTC connection that sends pictures and sound to one peer.
///
/// The connection takes encoded packets and sends them as RTP, through a pipeline of its own.
///
/// Thread: any. ``push(_:)`` never blocks. The methods that negotiate and ``close()`` block.
final class PeerConnection: Sendable {
    /// The limits of a connection's waits and queue.
    struct Limits: Sendable {
        /// The longest search for this side's addresses; the session description contains those found by then.
        var gathering = Duration.seconds(1)
        /// The longest time from the start until the peer is connected.
        var connecting = Duration.seconds(15)
        /// The longest time that a connected peer may be unreachable, or send no report.
        var silence = Duration.seconds(6)
        /// The largest number of packets that wait for the network; further packets are dropped.
        var waiting = 60
    }

    /// A change that the owner of a connection must react to.
    enum Event: Equatable {
        /// The peer is connected, or connected again, and needs a key frame.
        case connected
        /// The peer requests a key frame, or needs one because the connection has dropped a packet.
        case needsKey
        /// The connection has ended; the text is the reason, as a sentence without its full stop.
        case ended(String)
    }

    private struct State {
        /// True when the search for this side's addresses has ended.
        var hasAllCandidates = false
        var isConnected = false
        /// The time at which the peer became unreachable; nil while the peer is reachable.
        var lostSince: Timestamp?
        var gate = PacketGate()
        var isClosed = false
        var keyRequests = 0
        var counts = RTPCounts()
        /// The time from which the peer's silence counts; nil before the peer is connected.
        var lastHeard: Timestamp?
    }

    let track: VideoTrack
    /// The sound's track; nil for a connection that sends only pictures.
    private let sound: SoundTrack?
    private let limits: Limits
    private let pipeline: Pipeline
    private let inlet: Inlet
    private let soundInlet: PeerSoundInlet?
    private let element: WebRTCElement
    private let start: Timestamp
    private let onEvent: @Sendable (Event) -> Void
    private let state = Monitor(State())
    private let clock = MonotonicClock()

    /// Creates a connection, and starts its pipeline.
    ///
    /// After this call, the owner must negotiate by an offer or an answer.
    ///
    /// - Parameters:
    ///   - track: The picture's track.
    ///   - sound: The sound's track. Nil to send only pictures.
    ///   - servers: The ICE servers.
    ///   - limits: The limits of waits and of the queue.
    ///   - onEvent: Takes the connection's events. Thread: any. The function must not block.
    /// - Throws: ``MediaError`` when a GStreamer element is missing, when an ICE server's address is invalid, or when
    ///   the pipeline does not start.
    init(
        _ track: VideoTrack, sound: SoundTrack? = nil, servers: [ICEServer], limits: Limits = Limits(),
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(MediaError) {
        self.track = track
        self.sound = sound
        self.limits = limits
        self.onEvent = onEvent
        try Self.checkElements(hasSound: sound != nil)
        pipeline = try Pipeline(
            """
            webrtcbin name=peer bundle-policy=max-bundle latency=0 \(track.description) \(sound?.description ?? "")
            """)
        inlet = Inlet("video", of: pipeline)
        element = WebRTCElement(of: pipeline)
        start = clock.now
        soundInlet = sound == nil ? nil : PeerSoundInlet(of: pipeline, from: start)
        try element.use(servers)
        prepare(isOffer: true)
        inlet.onKeyRequest { [weak self] in self?.noteKeyRequest() }
        element.onChange(of: .gathering) { [weak self] in self?.noteGathering() }
        element.onChange(of: .connection) { [weak self] in self?.noteState() }
        try pipeline.play(base: start)
    }

    deinit { close() }

    /// Checks that all necessary GStreamer elements are installed.
    ///
    /// - Throws: ``MediaError``, which names the missing elements.
    static func checkElements(hasSound: Bool) throws(MediaError) {
        try GStreamer.require(VideoTrack.elements + (hasSound ? SoundTrack.elements : []))
    }

    // MARK: Negotiation, which blocks

    private func prepare(isOffer: Bool) {
        element.prepare(track: 0, track.preferences(isOffer: isOffer), repeats: true)
        // A repeated sound packet would arrive too late.
        if let sound { element.prepare(track: 1, sound.preferences, repeats: false) }
    }

    /// Answers an offer that has one section for each track.
    ///
    /// Blocks until this side's addresses are found, for at most `limits.gathering`.
    ///
    /// - Returns: This side's answer with its addresses (ICE candidates).
    /// - Throws: ``MediaError`` when the two sides cannot agree, or when GStreamer fails.
    func answer(_ offer: SessionDescription) throws(MediaError) -> SessionDescription {
        prepare(isOffer: false)
        try element.accept(offer.text, as: .offer)
        prepare(isOffer: false)
        try element.describe(as: .answer)
        return try gather()
    }

    /// Makes an offer.
    ///
    /// Blocks until this side's addresses are found, for at most `limits.gathering`.
    ///
    /// - Returns: This side's offer with its addresses (ICE candidates).
    /// - Throws: ``MediaError`` when GStreamer fails.
    func offer() throws(MediaError) -> SessionDescription {
        try element.describe(as: .offer)
        return try gather()
    }

    /// Accepts the answer to this side's offer.
    ///
    /// - Throws: ``MediaError`` when the peer refuses the picture, or when the answer is invalid.
    func accept(_ answer: SessionDescription) throws(MediaError) {
        guard let video = answer.sections.first(where: { $0.kind == "video" }), video.port != "0" else {
            throw MediaError(kind: .unsupported, reason: "the other side refuses \(track.codec.name)")
        }
        if answer.sections.first(where: { $0.kind == "audio" })?.port == "0" { soundInlet?.close() }
        try element.accept(answer.text, as: .answer)
    }

    private func gather() throws(MediaError) -> SessionDescription {
        let deadline = clock.now.advanced(by: limits.gathering)
        _ = state.wait(until: deadline) { $0.hasAllCandidates || $0.isClosed ? true : nil }
        guard let text = element.localDescription else {
            throw MediaError(kind: .failed, reason: "the connection was closed")
        }
        return try SessionDescription(text)
    }

    // MARK: Packets

    /// Sends a picture packet, or drops it.
    ///
    /// The connection drops packets while it is not connected, until the next key frame, and while the network is slow.
    ///
    /// - Returns: True when the packet was sent.
    @discardableResult
    func push(_ packet: Packet) -> Bool {
        let isFull = inlet.level > limits.waiting
        let verdict = state.withLock { state -> PacketGate.Verdict in
            guard state.isConnected, !state.isClosed, state.lostSince == nil else { return .leftOut(needsKey: false) }
            // The receiver cannot notice the gap, because RTP numbers only the packets that are sent.
            return state.gate.judge(packet, isFull: isFull)
        }
        switch verdict {
        case .sent(let isNew): if isNew { inlet.use(packet.format) }
        case .leftOut(let needsKey):
            if needsKey { onEvent(.needsKey) }
            return false
        }
        guard let buffer = unsafe packet.copy(from: start) else { return false }
        return unsafe inlet.push(buffer)
    }

    /// Sends a sound packet; drops the packet while the peer is not connected.
    func push(sound packet: Packet) {
        guard let soundInlet, state.withLock({ $0.isConnected && !$0.isClosed && $0.lostSince == nil }) else { return }
        soundInlet.push(packet)
    }

    private func noteKeyRequest() {
        state.withLock { $0.keyRequests += 1 }
        onEvent(.needsKey)
    }

    // MARK: Lifetime

    /// True while the peer receives packets.
    var isConnected: Bool { state.withLock { $0.isConnected && $0.lostSince == nil } }

    private func noteGathering() {
        let hasAllCandidates = element.hasAllCandidates
        state.update { $0.hasAllCandidates = hasAllCandidates }
    }

    private func noteState() {
        let (reached, now) = (element.state, clock.now)
        let event = state.withLock { state -> Event? in
            switch reached {
            case .closed, .failed:
                return .ended(
                    state.isConnected
                        ? "the other side has left"
                        : "no connection could be made: a firewall may need a TURN server (ice=turn:…), or encryption failed"
                )
            case .connected:
                (state.isConnected, state.lostSince) = (true, nil)
                state.gate.restart()
                state.lastHeard = now
                return .connected
            case .disconnected, .new, .connecting:
                if state.isConnected { state.lostSince = state.lostSince ?? now }
                return nil
            }
        }
        if let event { onEvent(event) }
    }

    /// Reports the end of a connection that has failed, or that has passed one of its time limits.
    ///
    /// Call this method once a second.
    func check() {
        let now = clock.now
        askForCounts(now)
        if let reason = pipeline.nextFailure()?.reason ?? overdue(at: now) { onEvent(.ended(reason)) }
    }

    /// The reason to end the connection when one of its time limits has passed; nil before that.
    private func overdue(at now: Timestamp) -> String? {
        let silence = "\(limits.silence.components.seconds) s"
        return state.withLock { state in
            guard state.isConnected else {
                return start.duration(to: now) > limits.connecting
                    ? "no way to the other side was found in \(limits.connecting.components.seconds) s" : nil
            }
            if let since = state.lostSince {
                return since.duration(to: now) > limits.silence ? "the other side was out of reach for \(silence)" : nil
            }
            // A peer that receives packets sends a report every second or two.
            guard let heard = state.lastHeard, heard.duration(to: now) > limits.silence else { return nil }
            return "the other side has sent no report for \(silence)"
        }
    }

    private func askForCounts(_ now: Timestamp) {
        guard state.withLock({ $0.isConnected }) else { return }
        element.askForCounts { [weak self] counts in
            self?.state.withLock { state in
                // A peer has nothing to report while nothing is sent.
                let isHeard = counts.latestReceived != state.counts.latestReceived
                if isHeard || counts.packetsSent == state.counts.packetsSent { state.lastHeard = now }
                state.counts = counts
            }
        }
    }

    /// The counters of frames and requests for key frames, and the RTP counters at the last check.
    var statistics: (frames: Int, framesLeftOut: Int, keyRequests: Int, counts: RTPCounts) {
        state.withLock { ($0.gate.sent, $0.gate.leftOut, $0.keyRequests, $0.counts) }
    }

    /// Closes the connection.
    ///
    /// Blocks until the pipeline's threads have ended.
    func close() {
        let wasOpen = state.update { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { pipeline.stop() }
    }
}
#endif
