#if Media
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The peers that get one encoder's packets.
///
/// Each peer has a connection of its own, so that a slow or lost peer does not delay the others.
final class PeerGroup: Sendable {
    /// A peer that has left.
    struct Departure: Sendable {
        let id: String
        let reason: String
    }

    private struct State {
        var peers: [String: PeerConnection] = [:]
        /// The peers that get packets.
        var connected: Set<String> = []
        var requests = KeyRequests()
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let clock = MonotonicClock()

    /// - Parameter limit: The most peers at a time.
    init(limit: Int) { self.limit = limit }

    /// True while a peer gets packets.
    var isConnected: Bool { state.withLock { !$0.connected.isEmpty } }

    /// The connected and connecting peers, in no order.
    var peers: [(id: String, peer: PeerConnection)] { state.withLock { $0.peers.map { ($0.key, $0.value) } } }

    subscript(id: String) -> PeerConnection? { state.withLock { $0.peers[id] } }

    /// The result of adding a peer.
    enum Admission {
        case taken, full, closed
    }

    /// Adds a peer.
    func add(_ peer: PeerConnection, as id: String) -> Admission {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.peers.count < limit else { return .full }
            state.peers[id] = peer
            return .taken
        }
    }

    /// Removes a peer and closes its connection.
    ///
    /// - Returns: False when no peer has the name.
    @discardableResult
    func remove(_ id: String) -> Bool {
        let peer = state.withLock { state in
            state.connected.remove(id)
            return state.peers.removeValue(forKey: id)
        }
        if let peer { Self.close([peer]) }
        return peer != nil
    }

    /// Removes all peers, and accepts no other.
    func close() {
        let peers = state.withLock { state in
            defer { (state.peers, state.connected) = ([:], []) }
            state.isClosed = true
            return Array(state.peers.values)
        }
        Self.close(peers)
    }

    /// Closes connections on a thread of its own, since a close waits for the connection's threads.
    private static func close(_ peers: [PeerConnection]) {
        guard !peers.isEmpty else { return }
        _ = WorkerThread(name: "pip-peer-end") { for peer in peers { peer.close() } }
    }

    // MARK: Key frames

    /// Notes that a peer needs a key frame.
    func requestKey() { state.withLock { $0.requests.request(at: clock.now) } }

    /// True when a frame must become a key frame.
    ///
    /// Call it before the frame is encoded.
    func grantKey(for frame: Frame) -> Bool { state.withLock { $0.requests.grant(for: frame.timestamp) } }

    // MARK: The sender's thread

    private var receivers: [PeerConnection] {
        state.withLock { state in state.connected.compactMap { state.peers[$0] } }
    }

    /// Sends a packet to all connected peers.
    ///
    /// - Returns: True when at least one peer was sent the packet.
    func push(_ packet: Packet) -> Bool {
        var isTaken = false
        for peer in receivers where peer.push(packet) { isTaken = true }
        return isTaken
    }

    /// Sends sound to all connected peers.
    func push(sound packet: Packet) {
        for peer in receivers { peer.push(sound: packet) }
    }

    /// Checks all peers, and removes lost ones.
    ///
    /// - Returns: The removed peers, with the reasons.
    func check() -> [Departure] {
        var departures: [Departure] = []
        for (id, peer) in peers {
            switch peer.check() {
            case .connecting: state.withLock { _ = $0.connected.remove(id) }
            case .connected: state.withLock { state in if state.peers[id] != nil { state.connected.insert(id) } }
            case .ended(let reason): if remove(id) { departures.append(Departure(id: id, reason: reason)) }
            }
        }
        return departures
    }
}
#endif
