#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// A WebRTC connection to one peer: encoded packets go in, and over the network as RTP.
///
/// It has a pipeline of its own, which is thrown away with it. ``push(_:)`` never waits; whatever negotiates blocks.
final class PeerConnection: Sendable {
    /// The limits by which a peer is given up.
    struct Limits: Sendable {
        /// The time for finding our own addresses; those found by then are used.
        var gathering = Duration.seconds(3)
        /// The time from the negotiation until packets flow.
        var connecting = Duration.seconds(15)
        /// The time that a peer may be out of reach.
        var silence = Duration.seconds(6)
        /// Packets that wait for the network before some are left out.
        var waiting = 60
    }

    private struct State {
        var isConnected = false
        /// Since when the peer is out of reach.
        var lostSince: Timestamp?
        /// True until a key frame is sent: nothing can be decoded before it.
        var needsKey = true
        /// Of the packets that were sent last.
        var format: PacketFormat?
        var isClosed = false
        var frames = 0
        var framesLeftOut = 0
        var keyRequests = 0
        var counts = RTPCounts()
        /// When the other side has last told of packets that it had.
        var lastHeard: Timestamp?
        var countsAsked: Timestamp?
    }

    let track: VideoTrack
    /// Nil where only a picture is sent.
    private let sound: SoundTrack?
    private let limits: Limits
    private let pipeline: Pipeline
    private let inlet: Inlet
    private let soundInlet: PeerSoundInlet?
    private let element: WebRTCElement
    private let start: Timestamp
    private let onKeyRequest: @Sendable () -> Void
    private let state = Mutex(State())
    private let clock = MonotonicClock()

    /// - Parameters:
    ///   - track: The picture.
    ///   - sound: The sound; nil for none.
    ///   - servers: Who helps to find a way.
    ///   - limits: By which a peer is given up.
    ///   - onKeyRequest: Called, on any thread, when the next frame has to be a key frame.
    /// - Throws: ``MediaError`` when a part of the engine is missing.
    init(
        _ track: VideoTrack, sound: SoundTrack? = nil, servers: [ICEServer], limits: Limits = Limits(),
        onKeyRequest: @escaping @Sendable () -> Void
    ) throws(MediaError) {
        self.track = track
        self.sound = sound
        self.limits = limits
        self.onKeyRequest = onKeyRequest
        try GStreamer.start()
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
        PipMedia.onKeyRequest(at: "video", of: pipeline) { [weak self] in self?.noteKeyRequest() }
        try pipeline.play(base: start)
    }

    deinit { close() }

    /// Finds out whether all parts of the engine are there.
    ///
    /// - Throws: ``MediaError`` that names what is missing.
    static func checkElements(hasSound: Bool) throws(MediaError) {
        let missing = (VideoTrack.elements + (hasSound ? SoundTrack.elements : [])).filter { !GStreamer.has($0) }
        guard missing.isEmpty else { throw GStreamer.missing(missing) }
    }

    // MARK: Negotiation, which blocks

    private func prepare(isOffer: Bool) {
        element.prepare(track: 0, track.preferences(isOffer: isOffer), repeats: true)
        // Sound that comes late is of no use.
        if let sound { element.prepare(track: 1, sound.preferences, repeats: false) }
    }

    /// Answers an offer that has a section for each track.
    ///
    /// - Returns: Our answer with all candidates.
    /// - Throws: ``MediaError`` when there is nothing to agree on.
    func answer(_ offer: SessionDescription) throws(MediaError) -> SessionDescription {
        prepare(isOffer: false)
        try element.accept(offer.text, as: .offer)
        prepare(isOffer: false)
        try element.describe(as: .answer)
        return try gather()
    }

    /// Makes an offer.
    ///
    /// - Returns: Our offer with all candidates.
    /// - Throws: ``MediaError`` when the engine fails.
    func offer() throws(MediaError) -> SessionDescription {
        try element.describe(as: .offer)
        return try gather()
    }

    /// Takes the answer to our offer.
    ///
    /// - Throws: ``MediaError`` when the other refuses, or it makes no sense.
    func accept(_ answer: SessionDescription) throws(MediaError) {
        guard let video = answer.sections.first(where: { $0.kind == "video" }), video.port != "0" else {
            throw MediaError(kind: .unsupported, reason: "the other side refuses \(track.codec.name)")
        }
        if answer.sections.first(where: { $0.kind == "audio" })?.port == "0" { soundInlet?.close() }
        try element.accept(answer.text, as: .answer)
    }

    private func gather() throws(MediaError) -> SessionDescription {
        let deadline = clock.now.advanced(by: limits.gathering)
        while !element.hasAllCandidates, clock.now < deadline { clock.block(for: .milliseconds(5)) }
        guard let text = element.localDescription else {
            throw MediaError(kind: .failed, reason: "the connection was closed")
        }
        return try SessionDescription(text)
    }

    // MARK: Packets

    /// Sends a packet, or leaves it out: before the connection is there, before a key frame, while the network is slow.
    ///
    /// - Returns: True when it is on its way.
    @discardableResult
    func push(_ packet: Packet) -> Bool {
        let (isWanted, isNew, asks) = state.withLock { state -> (Bool, Bool, Bool) in
            guard state.isConnected, !state.isClosed, state.lostSince == nil else { return (false, false, false) }
            if inlet.level > limits.waiting {
                // A gap cannot be decoded, and none is told: packets are numbered behind it.
                let asks = !state.needsKey
                state.needsKey = true
                state.framesLeftOut += 1
                return (false, false, asks)
            }
            if packet.isKey { state.needsKey = false }
            guard !state.needsKey else {
                state.framesLeftOut += 1
                return (false, false, false)
            }
            defer { state.format = packet.format }
            state.frames += 1
            // Another encoder may go on in another way.
            return (true, state.format?.isEqual(to: packet.format) != true, false)
        }
        if asks { onKeyRequest() }
        guard isWanted else { return false }
        if isNew { inlet.use(packet.format) }
        guard let buffer = unsafe packet.copy(from: start) else { return false }
        return unsafe inlet.push(buffer)
    }

    /// Sends sound, which is not heard before the connection is there.
    func push(sound packet: Packet) {
        guard let soundInlet, state.withLock({ $0.isConnected && !$0.isClosed && $0.lostSince == nil }) else { return }
        soundInlet.push(packet)
    }

    private func noteKeyRequest() {
        state.withLock { $0.keyRequests += 1 }
        onKeyRequest()
    }

    // MARK: Its life

    /// What became of a connection.
    enum Condition: Equatable {
        case connecting
        case connected
        /// It is over, with the reason.
        case ended(String)
    }

    /// Looks after the connection; called several times a second.
    func check() -> Condition {
        while let message = pipeline.nextMessage() {
            if case .failed(let error) = message { return .ended(error.reason) }
        }
        let now = clock.now
        let reached = element.state
        askForCounts(now)
        let (condition, asks) = state.withLock { state -> (Condition, Bool) in
            switch reached {
            case .closed, .failed: return (.ended(state.isConnected ? "it has left" : "no way to it was found"), false)
            case .connected:
                let isNew = !state.isConnected || state.lostSince != nil
                if isNew { (state.needsKey, state.lastHeard) = (true, now) }
                (state.isConnected, state.lostSince) = (true, nil)
                // One that is told of packets tells us so every second or two.
                if let heard = state.lastHeard, heard.duration(to: now) > limits.silence {
                    return (.ended("nothing was heard of it for \(limits.silence.components.seconds) s"), false)
                }
                return (.connected, isNew)
            case .disconnected, .new, .connecting:
                guard state.isConnected else {
                    let waited = start.duration(to: now)
                    let limit = limits.connecting
                    return (
                        waited > limit
                            ? .ended("no way to it was found in \(limit.components.seconds) s") : .connecting, false
                    )
                }
                let since = state.lostSince ?? now
                state.lostSince = since
                guard since.duration(to: now) > limits.silence else { return (.connecting, false) }
                return (.ended("it was out of reach for \(limits.silence.components.seconds) s"), false)
            }
        }
        if asks { onKeyRequest() }
        return condition
    }

    private func askForCounts(_ now: Timestamp) {
        let isDue = state.withLock { state in
            guard state.isConnected, state.countsAsked.map({ $0.duration(to: now) >= .seconds(1) }) ?? true else {
                return false
            }
            state.countsAsked = now
            return true
        }
        guard isDue else { return }
        element.askForCounts { [weak self] counts in
            self?.state.withLock { state in
                // Nothing new can be told where nothing was sent.
                let isHeard = counts.latestReceived != state.counts.latestReceived
                if isHeard || counts.packetsSent == state.counts.packetsSent { state.lastHeard = now }
                state.counts = counts
            }
        }
    }

    /// What was sent, and what the other side has told.
    var statistics: (frames: Int, framesLeftOut: Int, keyRequests: Int, isConnected: Bool, counts: RTPCounts) {
        state.withLock {
            ($0.frames, $0.framesLeftOut, $0.keyRequests, $0.isConnected && $0.lostSince == nil, $0.counts)
        }
    }

    /// Ends it; blocks until its threads have ended.
    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { pipeline.stop() }
    }
}
#endif
