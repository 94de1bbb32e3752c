#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The loop of a WHIP stream's thread: connects to the server, detects the loss of the server, and connects again.
///
/// There is no limit on attempts.
final class WHIPPublisher: Sendable {
    /// The constant properties of a publication: its address, tracks and time limits.
    struct Plan: Sendable {
        let address: String
        let token: String?
        /// The server's address without secrets, for messages.
        let label: String
        let track: VideoTrack
        /// The sound's track; nil to send only pictures.
        let sound: SoundTrack?
        let servers: [ICEServer]
        /// The longest wait for a response from the server.
        var timeout = Duration.seconds(10)
        /// The longest wait for the response to the request that ends the publication.
        var lastTimeout = Duration.seconds(1)
    }

    private struct State {
        var error: SinkError?
        var connections = 0
        /// The number of the current attempt, which names its peer in the group.
        var attempt = 0
        var isConnected = false
        /// The reason why the current attempt's connection has ended; nil while it lasts.
        var departure: String?
    }

    private let plan: Plan
    private let group: PeerGroup
    private let onEvent: @Sendable (SinkEvent) -> Void
    private let state = Monitor(State())
    private let ending = Interruption()
    private let clock = MonotonicClock()
    private let isDone = Monitor(false)

    init(_ plan: Plan, _ group: PeerGroup, onEvent: @escaping @Sendable (SinkEvent) -> Void) {
        self.plan = plan
        self.group = group
        self.onEvent = onEvent
    }

    /// The current error, and the number of connections made so far.
    var report: (error: SinkError?, connections: Int) { state.read { ($0.error, $0.connections) } }

    /// Ends the publication, and tells the server.
    ///
    /// Blocks for at most two seconds.
    func end() {
        ending.raise()
        // Wake the loop.
        state.update { _ in }
        let limit = clock.now.advanced(by: plan.lastTimeout * 2)
        _ = isDone.wait(until: limit) { $0 ? true : nil }
    }

    // MARK: The thread

    func run() {
        var backOff = BackOff.ofPublishers
        var told: String?
        while !ending.isRaised {
            do throws(MediaError) {
                let attempt = state.update { state in
                    (state.isConnected, state.departure) = (false, nil)
                    state.attempt += 1
                    return state.attempt
                }
                defer { group.remove("\(attempt)") }
                let resource = try publish(attempt)
                let failure = follow {
                    backOff.reset()
                    if told != nil { onEvent(.warning(sink: plan.label, "connected")) }
                    told = nil
                }
                retract(resource)
                if let failure { throw MediaError(kind: .network, reason: failure) }
            } catch {
                guard !ending.isRaised else { break }
                let reason = error.reason.hiding(secrets)
                state.update { $0.error = SinkError(plan.label, "publish", .failed, reason) }
                if told != reason { onEvent(.warning(sink: plan.label, "\(reason); the stream is tried again")) }
                told = reason
                _ = ending.wait(for: -1, events: 0, until: clock.now.advanced(by: backOff.next()))
            }
        }
        isDone.update { $0 = true }
    }

    private var secrets: [String] {
        let path = plan.address.split(separator: "/", maxSplits: 3).dropFirst(2).first.map(String.init)
        return [plan.token, path].compactMap { $0 }.filter { $0.count > 2 }
    }

    /// Connects to the server, and offers the tracks.
    ///
    /// - Returns: The address to which a DELETE request ends the connection. Nil when the server named no valid
    ///   address.
    /// - Throws: ``MediaError`` when GStreamer or libcurl fails, when the server cannot be reached or refuses the
    ///   offer, or when the server's answer is invalid.
    private func publish(_ attempt: Int) throws(MediaError) -> String? {
        let peer = try PeerConnection(plan.track, sound: plan.sound, servers: plan.servers) { [weak self] in
            self?.handle($0, of: attempt)
        }
        guard group.add(peer, as: "\(attempt)") == .taken else {
            throw MediaError(kind: .failed, reason: "the output has ended")
        }
        // GStreamer has an RSA certificate, which some servers accept only from the client of the DTLS handshake. So
        // this side must be the client.
        let offer = try peer.offer().settingRole("active")
        let response = try HTTPClient.send(
            "POST", to: plan.address, headers: ["Content-Type: application/sdp"] + authorization, body: offer.text,
            within: plan.timeout, until: ending)
        guard response.status == 201 || response.status == 200 else {
            throw MediaError(kind: .network, reason: Self.refusal(response))
        }
        let answer = try answer(in: response)
        try peer.accept(answer)
        return response.headers["location"].flatMap { HTTPClient.resolve($0, at: response.address) }
    }

    private func handle(_ event: PeerConnection.Event, of attempt: Int) {
        group.handle(event, of: "\(attempt)")
        state.update { state in
            guard state.attempt == attempt else { return }
            switch event {
            case .connected: state.isConnected = true
            case .needsKey: break
            case .ended(let reason): state.departure = reason
            }
        }
    }

    private func answer(in response: HTTPClient.Response) throws(MediaError) -> SessionDescription {
        do throws(MediaError) { return try SessionDescription(response.body) } catch {
            throw MediaError(kind: .network, reason: "the server's answer is invalid: \(error.reason)")
        }
    }

    private var authorization: [String] { plan.token.map { ["Authorization: Bearer \($0)"] } ?? [] }

    /// Waits until the connection or the output has ended.
    ///
    /// - Parameter onConnected: Called once, when the peer is connected.
    /// - Returns: The reason why the connection has ended. Nil when the output has ended.
    private func follow(onConnected: () -> Void) -> String? {
        func isOver(_ state: State) -> Bool { state.departure != nil || ending.isRaised }
        _ = state.wait { $0.isConnected || isOver($0) ? true : nil }
        let isConnected = state.update { state in
            guard state.isConnected else { return false }
            state.error = nil
            state.connections += 1
            return true
        }
        if isConnected { onConnected() }
        let departure = state.wait { isOver($0) ? .some($0.departure) : nil } ?? nil
        guard let departure, !ending.isRaised else { return nil }
        return isConnected ? "the server is gone: \(departure)" : departure
    }

    /// Tells the server that the publication has ended.
    private func retract(_ resource: String?) {
        guard let resource else { return }
        // A server that is gone does not answer, which is no error here.
        _ = try? HTTPClient.send("DELETE", to: resource, headers: authorization, within: plan.lastTimeout)
    }

    private static func refusal(_ response: HTTPClient.Response) -> String {
        let meaning: [Int: String] = [
            400: "it does not understand the offer", 401: "it needs a valid token",
            403: "it does not permit this program to publish", 404: "it knows no such address",
            405: "its address is not a WHIP address",
            406: "it does not accept the offered codecs", 409: "somebody publishes there already",
            429: "it got too many requests", 503: "it is not ready yet",
        ]
        let said = response.body.split(whereSeparator: \.isNewline).first.map { ": \($0.prefix(100))" } ?? ""
        return "the server refuses with \(response.status)"
            + (meaning[response.status].map { ", which means: \($0)" } ?? "") + said
    }
}
#endif
