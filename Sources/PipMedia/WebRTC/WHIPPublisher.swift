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
        /// The reason why the current connection has ended; nil while it lasts.
        var departure: String?
    }

    /// The current connection, and its address at the server.
    private struct Publication {
        let peer: PeerConnection
        /// The address to which a DELETE request ends the connection; nil when the server named none.
        let resource: String?
    }

    /// The identifier of the only peer in the group.
    private static let name = "server"
    private static let interval = Duration.milliseconds(50)

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

    /// Tells the loop that the connection to the server has ended.
    ///
    /// Thread: any.
    func noteDeparture(_ departure: PeerGroup.Departure) { state.update { $0.departure = departure.reason } }

    /// Ends the publication, and tells the server.
    ///
    /// Blocks for at most two seconds.
    func end() {
        ending.raise()
        let limit = clock.now.advanced(by: plan.lastTimeout * 2)
        _ = isDone.wait(until: limit) { $0 ? true : nil }
    }

    // MARK: The thread

    func run() {
        var backOff = BackOff.ofPublishers
        var told: String?
        while !ending.isRaised {
            do throws(MediaError) {
                let publication = try publish()
                let failure = follow(publication) {
                    backOff.reset()
                    if told != nil { onEvent(.warning(sink: plan.label, "connected again")) }
                    told = nil
                }
                retract(publication)
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
    /// - Throws: ``MediaError`` when the server cannot be reached, or refuses the offer.
    private func publish() throws(MediaError) -> Publication {
        let peer = try PeerConnection(plan.track, sound: plan.sound, servers: plan.servers) { [weak group] in
            group?.requestKey()
        }
        // GStreamer has an RSA certificate, which some servers accept only from the client of the DTLS handshake. So
        // our side must be the client.
        let offer = try peer.offer().settingRole("active")
        let response = try HTTPClient.send(
            "POST", to: plan.address, headers: ["Content-Type: application/sdp"] + authorization, body: offer.text,
            within: plan.timeout, until: ending)
        guard response.status == 201 || response.status == 200 else {
            throw MediaError(kind: .network, reason: Self.refusal(response))
        }
        let answer = try answer(in: response)
        try peer.accept(answer)
        let resource = response.headers["location"].flatMap { HTTPClient.resolve($0, at: response.address) }
        state.update { $0.departure = nil }
        guard group.add(peer, as: Self.name) == .taken else { throw MediaError(kind: .failed, reason: "it has ended") }
        return Publication(peer: peer, resource: resource)
    }

    private func answer(in response: HTTPClient.Response) throws(MediaError) -> SessionDescription {
        do throws(MediaError) { return try SessionDescription(response.body) } catch {
            throw MediaError(kind: .network, reason: "the server's answer makes no sense: \(error.reason)")
        }
    }

    private var authorization: [String] { plan.token.map { ["Authorization: Bearer \($0)"] } ?? [] }

    /// Waits until the connection or the output has ended.
    ///
    /// - Parameters:
    ///   - publication: The connection.
    ///   - onConnected: Called once, when the peer is connected.
    /// - Returns: The reason why the connection has ended. Nil when the output has ended.
    private func follow(_ publication: Publication, onConnected: () -> Void) -> String? {
        var isConnected = false
        while !ending.isRaised {
            if let departure = state.read({ $0.departure }) {
                return isConnected ? "the server is gone: \(departure)" : departure
            }
            if !isConnected, publication.peer.statistics.isConnected {
                isConnected = true
                state.update { state in
                    state.error = nil
                    state.connections += 1
                }
                onConnected()
            }
            _ = ending.wait(for: -1, events: 0, until: clock.now.advanced(by: Self.interval))
        }
        return nil
    }

    /// Closes the connection, and tells the server.
    private func retract(_ publication: Publication) {
        group.remove(Self.name)
        guard let resource = publication.resource else { return }
        // A server that is gone does not answer, which is no error here.
        _ = try? HTTPClient.send("DELETE", to: resource, headers: authorization, within: plan.lastTimeout)
    }

    private static func refusal(_ response: HTTPClient.Response) -> String {
        let meaning: [Int: String] = [
            400: "it does not understand the offer", 401: "it needs a valid token",
            403: "it does not permit us to publish", 404: "it knows no such address",
            405: "its address is not one of WHIP",
            406: "it does not take what is offered", 409: "somebody publishes there already",
            429: "it got too many requests", 503: "it is not ready",
        ]
        let said = response.body.split(whereSeparator: \.isNewline).first.map { ": \($0.prefix(100))" } ?? ""
        return "the server refuses with \(response.status)"
            + (meaning[response.status].map { ", which means: \($0)" } ?? "") + said
    }
}
#endif
